import { decodeBase64 } from '../go/base-n';
import { define } from '../go/define';
import { bytesOf, stringOf } from '../go/go-string';
import { structObject } from '../go/struct-object';
import type { GoFunctions, GoObject } from '../go/values';
import { FunctionError } from '../go/values';

/** Loads `node:crypto` on demand: this takes longer than most templates. */
const nodeCrypto = () => require('node:crypto') as typeof import('node:crypto');

const digest = (algorithm: 'sha1' | 'sha256' | 'sha512') =>
  define(['string'], ([text], budget) => {
    budget.spend(1 + Math.ceil(text.length / 100));
    return nodeCrypto().createHash(algorithm).update(bytesOf(text)).digest('hex');
  });

const ADLER_MODULUS = 65521;

function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % ADLER_MODULUS;
    b = (b + a) % ADLER_MODULUS;
  }
  return b * 0x10000 + a;
}

function decoded(text: string): Buffer {
  const code = decodeBase64(bytesOf(text));
  if ('illegalAt' in code) throw new FunctionError(`illegal base64 data at input byte ${code.illegalAt}`);
  return code.bytes;
}

const BLOCK = 16;

/** Decrypts the output of `encryptAES`: AES-256-CBC, with the password cut or padded to the length of a key. */
function decryptAes(password: string, encrypted: string): string {
  if (encrypted === '') return '';
  const key = Buffer.alloc(32);
  bytesOf(password).copy(key);
  const bytes = decoded(encrypted);
  if (bytes.length < BLOCK)
    throw new FunctionError(`runtime error: slice bounds out of range [:${BLOCK}] with capacity ${bytes.length}`);
  if (bytes.length % BLOCK !== 0) throw new FunctionError('crypto/cipher: input not full blocks');
  const decipher = nodeCrypto().createDecipheriv('aes-256-cbc', key, bytes.subarray(0, BLOCK)).setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(bytes.subarray(BLOCK)), decipher.final()]);
  const length = plain.length - (plain.at(-1) ?? 1);
  if (length < 0) throw new FunctionError(`runtime error: slice bounds out of range [:${length}]`);
  return stringOf(plain.subarray(0, length));
}

function customCertificate(certificate: string, key: string): GoObject {
  const cert = decodedPem(certificate, 'certificate');
  const privateKey = decodedPem(key, 'private key');
  if (!/-----BEGIN [^-]+-----/.test(stringOf(cert))) throw new FunctionError('unable to decode certificate');
  const { createPrivateKey, X509Certificate } = nodeCrypto();
  attempt('error parsing certificate', () => new X509Certificate(cert));
  attempt('error parsing private key', () => createPrivateKey(privateKey));
  return structObject(
    'sprig.certificate',
    [
      ['Cert', 'Cert', stringOf(cert)],
      ['Key', 'Key', stringOf(privateKey)],
    ],
    'all',
  );
}

function decodedPem(text: string, what: string): Buffer {
  const code = decodeBase64(bytesOf(text));
  if ('illegalAt' in code) {
    throw new FunctionError(`unable to decode base64 ${what}`);
  }
  return code.bytes;
}

function attempt(problem: string, parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    throw new FunctionError(`${problem}: ${error instanceof Error ? error.message : error}`);
  }
}

const SEED = 'com.lyndir.masterpassword';

const [VOWELS, CONSONANTS, DIGITS] = ['aeiou', 'bcdfghjklmnpqrstvwxyz', '0123456789'];
const [UPPER_VOWELS, UPPER_CONSONANTS] = [VOWELS.toUpperCase(), CONSONANTS.toUpperCase()];
const LETTERS = `${UPPER_VOWELS}${VOWELS}${UPPER_CONSONANTS}${CONSONANTS}`;

/** The characters for which each letter of a template stands. */
const CHARACTERS: Readonly<Record<string, string>> = {
  V: UPPER_VOWELS,
  C: UPPER_CONSONANTS,
  v: VOWELS,
  c: CONSONANTS,
  A: `${UPPER_VOWELS}${UPPER_CONSONANTS}`,
  a: LETTERS,
  n: DIGITS,
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: `${LETTERS}${DIGITS}!@#$%^&*()`,
};

const TEMPLATES: Readonly<Record<string, string>> = {
  maximum: 'anoxxxxxxxxxxxxxxxxx axxxxxxxxxxxxxxxxxno',
  long:
    'CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv ' +
    'CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv ' +
    'CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno',
  medium: 'CvcnoCvc CvcCvcno',
  short: 'Cvcn',
  basic: 'aaanaaan aannaaan aaannaaa',
  pin: 'nnnn',
};

/** Steps to derive one password. */
const STEPS_TO_DERIVE = 200_000;

/** The algorithm of Master Password: the hash of the site, by a key of scrypt, selects and fills in a template. */
function derivePassword(
  counter: bigint,
  type: string,
  [password, user, site]: readonly [string, string, string],
): string {
  if (!Object.hasOwn(TEMPLATES, type)) return `cannot find password template ${type}`;
  const templates = (TEMPLATES[type] ?? '').split(' ');
  const { createHmac, scryptSync } = nodeCrypto();
  const options = { N: 32768, r: 8, p: 2, maxmem: 2 ** 27 };
  const key = scryptSync(bytesOf(password), Buffer.concat([Buffer.from(SEED), sized(user)]), 64, options);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(Number(BigInt.asUintN(32, counter)));
  const hash = createHmac('sha256', key).update(SEED).update(sized(site)).update(count).digest();
  const template = templates[(hash[0] ?? 0) % templates.length] ?? '';
  return [...template]
    .map((letter, index) => {
      const characters = CHARACTERS[letter] ?? '';
      return characters.charAt((hash[index + 1] ?? 0) % characters.length);
    })
    .join('');
}

function sized(text: string): Buffer {
  const bytes = bytesOf(text);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes.length);
  return Buffer.concat([size, bytes]);
}

/** Functions of checksums, certificates and ciphers that return the same result in each run. */
export const cryptoFunctions: GoFunctions = new Map(
  Object.entries({
    derivePassword: define(['int64', 'string', 'string', 'string', 'string'], ([counter, type, ...words], budget) => {
      budget.spend(STEPS_TO_DERIVE);
      return derivePassword(counter, type, words as unknown as [string, string, string]);
    }),
    sha1sum: digest('sha1'),
    sha256sum: digest('sha256'),
    sha512sum: digest('sha512'),
    adler32sum: define(['string'], ([text], budget) => {
      budget.spend(1 + Math.ceil(text.length / 100));
      return String(adler32(bytesOf(text)));
    }),
    decryptAES: define(['string', 'string'], ([password, encrypted]) => decryptAes(password, encrypted)),
    buildCustomCert: define(['string', 'string'], ([certificate, key]) => customCertificate(certificate, key)),
  }),
);
