import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { redact } from '#base/findings/redaction';
import { holdsPrivateKey } from '#base/secrets/secret-spans';
import { secretsIn } from '#base/secrets/secret-walk';
import { checkKeyMaterial } from '#kubernetes/objects/key-material';
import { checkWrittenText } from '#lib/gitops/synth/output/written-text';
import { expectLinear } from '#test/support/growth';

const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ED25519 = generateKeyPairSync('ed25519');
const DSA = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 });
const der = (key: KeyObject, type: 'pkcs8' | 'sec1' | 'pkcs1') =>
  key.export({ format: 'der', type } as never) as unknown as Buffer;
const encrypted = (key: KeyObject) =>
  key.export({ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'a' } as never) as unknown as Buffer;
const publicOf = (key: KeyObject, type: 'spki' | 'pkcs1' = 'spki') =>
  key.export({ format: 'der', type } as never) as unknown as Buffer;

/** Throw-away stores, made with openssl and keytool: a key with its certificate, and a certificate alone. */
const STORES = {
  'PKCS#12':
    'MIID/AIBAzCCA7IGCSqGSIb3DQEHAaCCA6MEggOfMIIDmzCCAlIGCSqGSIb3DQEHBqCCAkMwggI/AgEAMIICOAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhAxcclmy1xVgICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEFLskDWMh0zoG2QJnKC5YguAggHQixp4/j44SCJQzHaDP0btQDHDNz3CUIqzIolfs/fYyOlv5dmFMM9j99Vk+9qUEC9DWfHhpdI2TH/UO3ii4NQGhzgG/5kqWV/MvKFybMxd1HazKicRkwQW4cXBI4OzQHoyT8vuDjzmJpp3dgPNN8oY6WOTGywjOaQXe/2/CQqFQMJTBZz4zKHC9L9u2iSQq/n6sFyCqr73cIsiRiuz7ppfYRAQtwCr6cwjKW1OS286Qp6XksLc4QzLgTKiIxB1qcppLe2qXGZd7QoJEjA+gXMZ6A7o8kVPKg3FHtxinJNdD/0HYUEOH4pDugGTWRHyW2w/SiaRSQr9VbAKACVIr7XGQ6bganG5WksdTmGSznBW81Hdq8zp84GIFacmrCcLrGxHPq87rn4h6Ke7rrEaxPaf/ImGbxBWIH9MYxjDwJ5r3NHG4y4K5SZ/QI1xrmk3ONfVY35lxTQkBJ4Aqes3iHzJuJv0Hipzp7JX+Hw+WpjERlk9GumF3BqzplPHZJlWYN3saNjE4BRBwNrJIQv4L8V3gv6yS3uJfg0Yz3eVw5ZppJPWaYzJgqjeoU00Dmsf2vawVcTwV28y78Qo7gcgdg+xMEXMf6U3gU2z2teMAXwvP28wggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASowggEmBgsqhkiG9w0BDAoBAqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQI+au3MoUkQ1ACAggAMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBBPs/zk+Cnb6RL3Q/kPaAhGBIGQlAGrb0IWN9X5FshTj/Ccv80da6FFCQqmWSh5DlPBlyfdOqAI0PPwLu0mu+2qJr5nrR37C6yeocrwYHK0bo+nRHjpfCKD1I+2nktZLE5VrLBfBHZRyMLOG6sW89RUMfzAGla24n4sog5KOWdgLhxnzkC+0wcrYXHYxBD4+jsHzMxMY2BQYv/QDfYZwbIOJocuMSUwIwYJKoZIhvcNAQkVMRYEFEFHN5enZHJ79p20akZVrlt1lr76MEEwMTANBglghkgBZQMEAgEFAAQg1LWZzJ8QT0F4ATJOXcEt+o9pytG1njfpBMHkTeGRynAECFc1EM/jG3BkAgIIAA==',
  'PKCS#12 of old':
    'MIIDcgIBAzCCAzgGCSqGSIb3DQEHAaCCAykEggMlMIIDITCCAhcGCSqGSIb3DQEHBqCCAggwggIEAgEAMIIB/QYJKoZIhvcNAQcBMBwGCiqGSIb3DQEMAQYwDgQIxTinLyT4GvICAggAgIIB0PRp2z0KLxylIjkI69/pBR58PgdZ+BI5izP7Ia6+rz5NGH+EERFjuiLOiTAvr+O4BYy2PHdwNNh4zBQcxBWJOZny3yHSFd/gVbZABWUCfR1P/I+zynAU2R/rLVkuwL899qGxS1qOHe4GXgbeeRqn4pN608uAE6iQ0BObKfJkOluGmcYYkrTZC8SOgxQWKNbcLVqKepRtxCrvN5ESfz9Xx/mmRVqSym1+k6ZywWoCTa5IuPhjoe7nxCZnOuLE3m7GoUzoRovZr9S1UQAPryoNUt2lKArCVoaGkhPClNMCFVkkgtR/a/Q/9SljWzZN221z6mcQ2Pbyv0g5YlbO6yFp1UDyt/QEvOUjO8g0/ytiEjGt98o9JSjM0mKx1nRfnYnb25HN3/5AyOPJGIEQUkUAki5HUHtox7+UOddxo1X1yIayBHk4c7/bwGp3apEgYovLm+KSET6d3hq32X+KuwtvISIUMQITpT9R2YRYO+8c4WZM8zpsi4eiJug1GrTVCzqvQK+3GKn6XryhIvhb398rvwyKtwfuckUimfa7o946hhcocKUJmlOx+zArjGZPA61t3cPLyrIwBFEMC+9MvLWgJXCwPX5c4cQWlVaXw2FtyRK5MIIBAgYJKoZIhvcNAQcBoIH0BIHxMIHuMIHrBgsqhkiG9w0BDAoBAqCBtDCBsTAcBgoqhkiG9w0BDAEDMA4ECB6W4vv6EBaHAgIIAASBkFeTo0udd5YqDTdN0GllNsj7f3d+OkHhuhp/OwR3jH1a3/OMJdOfV7x5P5fULEYjeHNIp+moNo5CuJUFBGe/qOUzjX0UyIamKwCP5Yt9UcWuf99/SH2wXekFUjHm3O09MSGzh4YmP1CVVHAMV5thmeIqCOFqoDW8Kc/+rODF/hcTynLRE+bLqDnMjYoiGB3r2DElMCMGCSqGSIb3DQEJFTEWBBRBRzeXp2Rye/adtGpGVa5bdZa++jAxMCEwCQYFKw4DAhoFAAQUgqpWoHfXC/DzbvMFy+lzg2ENU3gECFWZZAcxNLyrAgIIAA==',
  'PKCS#12 without encryption':
    'MIIDGwIBAzCCAtEGCSqGSIb3DQEHAaCCAsIEggK+MIICujCCAdsGCSqGSIb3DQEHAaCCAcwEggHIMIIBxDCCAcAGCyqGSIb3DQEMCgEDoIIBiDCCAYQGCiqGSIb3DQEJFgGgggF0BIIBcDCCAWwwggEToAMCAQICFCYTviTUjUG6oBzjSD11kGOw0pUiMAoGCCqGSM49BAMCMAwxCjAIBgNVBAMMAXQwHhcNMjYxMTIzMDM0MTE4WhcNMjYxMTI0MDM0MTE4WjAMMQowCAYDVQQDDAF0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHvMT2RCer3JVkQogLOayfpR+ueBcXq1ycGRbYvHAAtmZYCCakX/I6W8VyeCah5A/YpYIaWPmTQtDCVHrC7XjH6NTMFEwHQYDVR0OBBYEFKOfF5zL+hvsp/uMFliUruHfmCZsMB8GA1UdIwQYMBaAFKOfF5zL+hvsp/uMFliUruHfmCZsMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgexwhrGSS13YPlgT/PSdD36+MnIz9aWybr1u24YaffvICIEN5dCnUe7Oj+RqPVNsfSWPwFbXg1VlqSgY5Wqg++aAZMSUwIwYJKoZIhvcNAQkVMRYEFEFHN5enZHJ79p20akZVrlt1lr76MIHYBgkqhkiG9w0BBwGggcoEgccwgcQwgcEGCyqGSIb3DQEMCgEBoIGKMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwBgfXefRtyZrVZ+9RgPq/oJTvDq0sySK3Tie+4gUOqChRANCAAQe8xPZEJ6vclWRCiAs5rJ+lH654FxerXJwZFti8cAC2ZlgIJqRf8jpbxXJ4JqHkD9ilghpY+ZNC0MJUesLteMfMSUwIwYJKoZIhvcNAQkVMRYEFEFHN5enZHJ79p20akZVrlt1lr76MEEwMTANBglghkgBZQMEAgEFAAQg9q2sPUcljXTBypnCO1nWk4L3Dz4CMJ7tgb/W2GqF2xsECASHlEfWLpn9AgIIAA==',
  'PKCS#12 of keytool':
    'MIIDxgIBAzCCA3AGCSqGSIb3DQEHAaCCA2EEggNdMIIDWTCCASAGCSqGSIb3DQEHAaCCAREEggENMIIBCTCCAQUGCyqGSIb3DQEMCgECoIG9MIG6MGYGCSqGSIb3DQEFDTBZMDgGCSqGSIb3DQEFDDArBBSl6izQfysvlBkrAps34ZmfOSmDUgICJxACASAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEELk2xgRWLOoZx6nqccTbf50EUC/Jc1LOqwhL030/7oQL5+0qzXZ4+KlWLDLqBSb4i/ILUhLx+FAalS6m86fEGSNZzo6pMxPbw685dtCNGJ2+ksZ7I0H99RMhT/1LLXIRxvKtMTYwEQYJKoZIhvcNAQkUMQQeAgBhMCEGCSqGSIb3DQEJFTEUBBJUaW1lIDE3OTU0MDUyODE3NzIwggIxBgkqhkiG9w0BBwagggIiMIICHgIBADCCAhcGCSqGSIb3DQEHATBmBgkqhkiG9w0BBQ0wWTA4BgkqhkiG9w0BBQwwKwQU0LBsR6tcpXQvzi+xuBxja1ZviZwCAicQAgEgMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBCmRm4zOj9xq1L5B7BT5AUVgIIBoM2fUiX6Qvt9bn7DqmkOm8+1ZSFu03/iWst6OH21lZItKahSCOY3nwvGp5/surxctKY6kwtYaUrbK3f1gkad4ixqGaXRq4OQO4iP68zgV4wGaD3YJzXm51Pf9ifWnd9NpO7d1IDcd2MSzpwbHjqQeMia49FnuekZFwgK/Ca88GjobVb96k/2A8it1WPrQa0kFSRq3fl/SI12f6DiXqj2hA15r7oLafzcMF4kjYeCKi1mpCQdY+1749PKMc54XpEWN7QkPGWO8GR6oWX96Qc0yfFZqPLF0gsxwMr4Sx/MHi4c692zML/c5RcOxVR6pum5lHsd6x5lNPBCGbVeNng9tvZLg3rwzvunjo7vDct3fFDuFE+GOLp7AQhUpitwb0ViIH4lfdilgFp/l2bJWuDMVfeRbmADEizD8RcaMuqYk1ipzLF92XswiTF85nmXtjzN0zwQ3gKNInRx9MyxNoElwpZLOpsqhyTWjPefCU8GbsyE0JZ8ozOup4f+CSn/a9CaWIrOlrtMTaGGFZTmDMURZ1r1Di7PQJ+e7mneGFEjJ9ziME0wMTANBglghkgBZQMEAgEFAAQgfYHzvcnE32lK1A8Yn2YarMDgeWYv55KBglXB4HRRu08EFBXselGVA8sGc2PiTmV+BwqmzvoAAgInEA==',
  JKS: '/u3+7QAAAAIAAAABAAAAAQABMQAAAaIGfnHPAAAAyDCBxTAOBgorBgEEASoCEQEBBQAEgbJ6EfPHW7ZC/CSehXYhJqe7WKPWGJ3JUY9mElQOBqd0KkS+VIDaoLOKtpnJXcGk50Boy0Nrt+zd9UOepb4mNvhV7ftHXxGpcoubOjD4cTJ2LIA22E3unH0eGY77lCVdM7zh1f2D04WYt9f4vxBprl2+Qgv3My/DtrARX53Az6JnZBV41aGRsw4V8iM5IUzCrdzAFf8D9pMsQBpH9hDXmfQXHjnZSIqqMtwlx+H1Ilu0pEYaAAAAAQAFWC41MDkAAAFwMIIBbDCCAROgAwIBAgIUJhO+JNSNQbqgHONIPXWQY7DSlSIwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBdDAeFw0yNjExMjMwMzQxMThaFw0yNjExMjQwMzQxMThaMAwxCjAIBgNVBAMMAXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQe8xPZEJ6vclWRCiAs5rJ+lH654FxerXJwZFti8cAC2ZlgIJqRf8jpbxXJ4JqHkD9ilghpY+ZNC0MJUesLteMfo1MwUTAdBgNVHQ4EFgQUo58XnMv6G+yn+4wWWJSu4d+YJmwwHwYDVR0jBBgwFoAUo58XnMv6G+yn+4wWWJSu4d+YJmwwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiB7HCGsZJLXdg+WBP89J0Pfr4ycjP1pbJuvW7bhhp9+8gIgQ3l0KdR7s6P5Go9U2x9JY/AVteDVWWpKBjlaqD75oBmQzf1WF++nwZySNuNHTTCtx23g9w==',
  'trust in PKCS#12':
    'MIIClwIBAzCCAk0GCSqGSIb3DQEHAaCCAj4EggI6MIICNjCCAjIGCSqGSIb3DQEHBqCCAiMwggIfAgEAMIICGAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiYDEi4LAwq+AICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEK4PCWk9c9xyBPtMavcBUw6AggGwWkez2gSxj57KDpyjb3UTIODzG0zBV2eSr+cpTWXMa+7OejMAuJdxDU2ef2AmgI8DG73EZu1d6URLEjePpgtwXQBtpCh/bcbRR8+MfgXL5v8f3CW76crL15OTvFgr+9ojj1wR5uLx+QATbV1dI0MfVfidwpuJxzAhfv91U/ANEdPea6IwFZGTJSZeWNKHKkZtr1imeaS4Lzhof8fXTfZAOOqqaT3pd1bVUoO4PyC33XmezrAHLK5jKqDSzIFHdRThM50zUk1/DGGp1x9eg7XiTQDzNy+lXhf17a072pWe/w9dWrh4T0xOyTrXyIbmbnJcKINyfiWEb+YaC295KXHL9G5+n7NeuiHBD0P5RimskKEwvTYlDjF1nIANYJVzYlj8ih2YPWo3lA/pINO0L8h0CiTR93s+XNLnJgMJr+IwYuXlhonO/mnt/AEhiQxfUoXa/sVWCs1MRv+bfqfAkqNzm0lJ4F2k0vqOuNpiDy0erAd46GXLTv2XoBcRahE1JPPy3/5rBKSFCCmRZj8fibnvZ9RlDs7utIrm97RtJM4ZSnC6MBOT8Gt0QB1QdPbgGTzuMEEwMTANBglghkgBZQMEAgEFAAQgtSKnIR+q6CUBG+nWc9fLYi6qjccydTj6ewVTeMVWlkIECMGGIl2Q4fyjAgIIAA==',
  'trust in PKCS#12 of keytool':
    'MIIC4gIBAzCCAowGCSqGSIb3DQEHAaCCAn0EggJ5MIICdTCCAnEGCSqGSIb3DQEHBqCCAmIwggJeAgEAMIICVwYJKoZIhvcNAQcBMGYGCSqGSIb3DQEFDTBZMDgGCSqGSIb3DQEFDDArBBSnd+MUlkY6tqvuw4M/nLfCEKWwaQICJxACASAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEFtHdJRrPtsMv3K2od32nZmAggHgD94S6rAEKj8nwFi0kVZ4McgU+Cya8osUo9IjzXaZjBvlGmnwqugQwgYYYdHJIXXDaLdRPIZVAkS+6oKzHRXcOAp5jQLwujupc5xPBGpfkx4bUSAohNMDO1v8TYA8aqj6pid/4asLv3U/JO3q5O7WwsuJAyT3t+V+4pdgOI5x/+tNtja6yzMQL8BzaqtgV/QJgcN3IHc+YffRg2UF33+HBXLYBTjBSVTyd62fUy3EmKxizo7qh9V5yxECPICBegkzM6VzX4v0vjV6O5INQoG+JjoiKsIDtQlzj15Gz2QXgbtW2xuVfiZeOH7gZcoCDXAk3dEKLYjTJEZZ+tSQiVXyyfRnqeIoZZpo/pid9BlHv67g0d9IIiFS51wCeq4iJ4FxrWqJONGCGEE5VQmEOKXDijdii+LhEXjW8FIPZ3xnP1AYCJLDg03vjaj2h0fg3g1rlhE4TFgNhowb89G2/CkfYsP+DgLYZOQ1dUEHjS6mRxVX8eoT13YkTMD1DUG4BeIMxIS7JOps34Ld5s053UGzKIfwKUm/XACfOFKP4cl82HNWTDkx9W+UKH/M38pm/gPQ174uUBL3+RFyBuCplheMIQ8UerShb5yAxxOhmGc6x3oBwJ2SGklIxP8hRve7wwpCME0wMTANBglghkgBZQMEAgEFAAQglLV5VKPkYxrsPk9zoZuPOdpqH90ZTLEf7m/BV3cmmY8EFNx+tOLYQcRFPd7m4I5Sdap4pDScAgInEA==',
  'trust in JKS':
    '/u3+7QAAAAIAAAABAAAAAgAFbXlrZXkAAAGiBn5zfQAFWC41MDkAAAFwMIIBbDCCAROgAwIBAgIUJhO+JNSNQbqgHONIPXWQY7DSlSIwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBdDAeFw0yNjExMjMwMzQxMThaFw0yNjExMjQwMzQxMThaMAwxCjAIBgNVBAMMAXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQe8xPZEJ6vclWRCiAs5rJ+lH654FxerXJwZFti8cAC2ZlgIJqRf8jpbxXJ4JqHkD9ilghpY+ZNC0MJUesLteMfo1MwUTAdBgNVHQ4EFgQUo58XnMv6G+yn+4wWWJSu4d+YJmwwHwYDVR0jBBgwFoAUo58XnMv6G+yn+4wWWJSu4d+YJmwwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiB7HCGsZJLXdg+WBP89J0Pfr4ycjP1pbJuvW7bhhp9+8gIgQ3l0KdR7s6P5Go9U2x9JY/AVteDVWWpKBjlaqD75oBl9QoO47leO4H5myhldNTQQbsz9ZQ==',
  'a certificate':
    'MIIBbDCCAROgAwIBAgIUJhO+JNSNQbqgHONIPXWQY7DSlSIwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBdDAeFw0yNjExMjMwMzQxMThaFw0yNjExMjQwMzQxMThaMAwxCjAIBgNVBAMMAXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQe8xPZEJ6vclWRCiAs5rJ+lH654FxerXJwZFti8cAC2ZlgIJqRf8jpbxXJ4JqHkD9ilghpY+ZNC0MJUesLteMfo1MwUTAdBgNVHQ4EFgQUo58XnMv6G+yn+4wWWJSu4d+YJmwwHwYDVR0jBBgwFoAUo58XnMv6G+yn+4wWWJSu4d+YJmwwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiB7HCGsZJLXdg+WBP89J0Pfr4ycjP1pbJuvW7bhhp9+8gIgQ3l0KdR7s6P5Go9U2x9JY/AVteDVWWpKBjlaqD75oBk=',
  OpenSSH:
    'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZWQyNTUxOQAAACD/9j4uD5XE1eIACeJDg8zqeGFI6O1+oKx3nQ/VNuQOJAAAAJDoltvw6Jbb8AAAAAtzc2gtZWQyNTUxOQAAACD/9j4uD5XE1eIACeJDg8zqeGFI6O1+oKx3nQ/VNuQOJAAAAEAsgqwR6bWl/kr2v/6pbBtg4VEa71YkA/4Odzj36K4KZv/2Pi4PlcTV4gAJ4kODzOp4YUjo7X6grHedD9U25A4kAAAAB3Jvb3RAdm0BAgMEBQY=',
};
const store = (name: keyof typeof STORES) => Buffer.from(STORES[name], 'base64');

const KEYS: readonly (readonly [string, Buffer])[] = [
  ['PKCS#8, EC', der(EC.privateKey, 'pkcs8')],
  ['PKCS#8, RSA', der(RSA.privateKey, 'pkcs8')],
  ['PKCS#8, Ed25519', der(ED25519.privateKey, 'pkcs8')],
  ['PKCS#8, DSA', der(DSA.privateKey, 'pkcs8')],
  ['SEC1', der(EC.privateKey, 'sec1')],
  ['PKCS#1', der(RSA.privateKey, 'pkcs1')],
  ['encrypted PKCS#8, EC', encrypted(EC.privateKey)],
  ['encrypted PKCS#8, RSA', encrypted(RSA.privateKey)],
  ['PKCS#12', store('PKCS#12')],
  ['PKCS#12 with the ciphers of old', store('PKCS#12 of old')],
  ['PKCS#12 without encryption', store('PKCS#12 without encryption')],
  ['PKCS#12 of keytool', store('PKCS#12 of keytool')],
  ['JKS', store('JKS')],
  ['OpenSSH', store('OpenSSH')],
];
const PUBLIC: readonly (readonly [string, Buffer])[] = [
  ['a certificate', store('a certificate')],
  ['a public key, EC', publicOf(EC.publicKey)],
  ['a public key, RSA', publicOf(RSA.publicKey)],
  ['a public key, Ed25519', publicOf(ED25519.publicKey)],
  ['a public key, PKCS#1', publicOf(RSA.publicKey, 'pkcs1')],
  ['a trust store in PKCS#12', store('trust in PKCS#12')],
  ['a trust store in PKCS#12, of keytool', store('trust in PKCS#12 of keytool')],
  ['a trust store in JKS', store('trust in JKS')],
];

const lines = (text: string, width: number) => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n');
const object = (kind: string, fields: object) => ({ apiVersion: 'v1', kind, metadata: { name: 'a' }, ...fields });

test.each(KEYS)('the detector finds the private key %s in every form that a manifest can have', (_, key) => {
  const base64 = key.toString('base64');
  const forms = [
    base64,
    lines(base64, 64),
    lines(base64, 76),
    base64.replace(/=+$/, ''),
    key.toString('base64url'),
    Buffer.from(base64).toString('base64'),
    key.toString('latin1'),
    key.toString('hex'),
    `key: ${base64}\nother: 1\n`,
  ];
  expect(forms.map((form) => holdsPrivateKey(form))).toEqual(forms.map(() => true));
});

test.each(KEYS)('synth writes no Secret, ConfigMap, value or text with the key %s to Git or to a message', (_, key) => {
  const base64 = key.toString('base64');
  const objects = [
    object('Secret', { data: { any: base64 } }),
    object('Secret', { stringData: { any: key.toString('latin1') } }),
    object('ConfigMap', { binaryData: { 'key.der': base64 } }),
    object('ConfigMap', { data: { any: `a: ${base64}` } }),
    { apiVersion: 'v1', kind: 'List', metadata: { name: 'a' }, items: [object('Secret', { data: { any: base64 } })] },
  ];
  for (const one of objects) {
    expect(checkKeyMaterial(one).map(({ code }) => code)).toEqual(['private-key-found']);
  }
  expect(secretsIn({ a: [{ b: base64 }] })).toEqual([{ path: ['a', '0', 'b'], is: 'private key' }]);
  expect(checkWrittenText('a.yaml', `kind: Secret\ndata:\n  any: ${base64}\n`)).toHaveLength(1);
  expect(redact(`values.a is "${base64}"`)).toBe('values.a is "<private key>"');
});

test.each(PUBLIC)('the detector does not report %s as a private key', (_, bytes) => {
  const base64 = bytes.toString('base64');
  const forms = [base64, lines(base64, 64), bytes.toString('latin1'), bytes.toString('hex'), `a: ${base64}`];
  expect(forms.map((form) => holdsPrivateKey(form))).toEqual(forms.map(() => false));
  expect(checkKeyMaterial(object('Secret', { data: { any: base64 } }))).toEqual([]);
  expect(redact(base64)).toBe(base64);
});

test('the detector reads bytes that begin like a key exactly to the end of the key', () => {
  const key = der(EC.privateKey, 'pkcs8');
  for (let length = 0; length < key.length; length += 1) {
    expect(typeof holdsPrivateKey(key.subarray(0, length).toString('latin1').padEnd(30))).toBe('boolean');
  }
});

test.each(['MIIB', '0\x82', 'M', ' MIGH'])('the detector reads many repetitions of %j in linear time', (piece) => {
  expectLinear((count) => holdsPrivateKey(piece.repeat(count)), 15_000);
});
