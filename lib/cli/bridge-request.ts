import { BRIDGE_FINDINGS } from '#anchor/findings';
import { BRIDGE_CONFIG_MAP, BRIDGE_KEY, type BridgeRequest, MAX_BRIDGE_LENGTH } from '#anchor/trust-anchor';
import { pemCertificates, readCertificate } from '#base/certificates';
import type { Problem } from '#base/findings/problem';
import { holdsPrivateKey } from '#base/secrets/secret-spans';
import { DAY, HOUR } from '#base/time-units';
import { stringifyYaml } from '#base/yaml-writer';

/**
 * Returns commands of common tools that sign a request for a bridge, as shell comments. They read the request from
 * request.pem, and the present anchor and its key from ca.crt and ca.key.
 */
export function signingGuide({ subject, signer, pathLength, notAfter, until }: BridgeRequest, now: Date): string {
  // The names come from the cluster: a line feed in them must not end the comment.
  const [next, present] = [subject, signer].map((name) => name.replace(/\s+/g, ' '));
  const end = notAfter === undefined ? undefined : new Date(notAfter);
  return [
    `The request is for the next trust anchor, ${next}.`,
    `Sign it with the key of ${present}, as a CA certificate with cert sign and crl sign,`,
    `a path length of ${pathLength} or more, or none, and no name constraints.`,
    ...(end === undefined ? [] : [`It must end no later than the present anchor, on ${notAfter}.`]),
    ...(until === undefined
      ? []
      : [`It is needed before ${until}: after that, only a restart of all pods completes the rotation in time.`]),
    '',
    "printf 'basicConstraints=critical,CA:TRUE,pathlen:1\\nkeyUsage=critical,keyCertSign,cRLSign\\nsubjectKeyIdentifier=hash\\nauthorityKeyIdentifier=keyid' > bridge.ext",
    `openssl x509 -req -in request.pem -CA ca.crt -CAkey ca.key -extfile bridge.ext ${opensslEnd(end, now)} -out bridge.pem`,
    '',
    `step certificate sign --profile intermediate-ca --path-len 1 ${end === undefined ? '--not-after 8760h' : `--not-after ${notAfter}`} request.pem ca.crt ca.key > bridge.pem`,
    '',
    `vault write -field=certificate pki/root/sign-intermediate csr=@request.pem use_csr_values=true max_path_length=1 ttl=${hoursLeft(end, now)}h > bridge.pem`,
    '',
    'Then: cdk8s-linkerd anchor answer bridge.pem',
  ]
    .map((line) => (line === '' ? '#\n' : `# ${line}\n`))
    .join('');
}

/**
 * Returns the remaining time less a margin, so that a certificate that is signed some days later still ends in time.
 * The margin is a week, or a twentieth of the remaining time if that is less.
 */
function lifeLeft(end: Date, now: Date): number {
  const left = end.getTime() - now.getTime();
  return left - Math.min(7 * DAY, left / 20);
}

/** Returns `-days`, which every OpenSSL has; for less than a day `-not_after`, which needs OpenSSL 3.4. */
function opensslEnd(end: Date | undefined, now: Date): string {
  const days = end === undefined ? 365 : Math.floor(lifeLeft(end, now) / DAY);
  if (days > 0 || end === undefined) return `-days ${days}`;
  return `-not_after ${end.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
}

function hoursLeft(end: Date | undefined, now: Date): number {
  return end === undefined ? 8_760 : Math.max(1, Math.floor(lifeLeft(end, now) / HOUR));
}

/** The signed certificate of a bridge, read from a file, or the problem with the file. */
export type ReadBridge = { readonly pem: string } | { readonly problem: Problem };

/** Reads a signed bridge and the CA certificates after it. The operator checks whether they fit the request. */
export function readBridge(file: string, text: string): ReadBridge {
  const given = `The certificate in ${file}`;
  if (holdsPrivateKey(text)) return { problem: BRIDGE_FINDINGS.bridgeAnswerRefusedPrivateKey({ given }) };
  const blocks = pemCertificates(text);
  const certificates = blocks.flatMap((block) => readCertificate(block) ?? []);
  const pem = certificates.map((certificate) => certificate.toString()).join('');
  if (certificates.length === 0 || certificates.length < blocks.length || pem.length > MAX_BRIDGE_LENGTH) {
    return { problem: BRIDGE_FINDINGS.bridgeAnswerRefusedUnreadable({ given }) };
  }
  if (certificates.some(({ ca }) => !ca)) return { problem: BRIDGE_FINDINGS.bridgeAnswerRefusedNotCa({ given }) };
  return { pem };
}

/** Returns the ConfigMap with the signed bridge for the operator, as YAML. */
export function bridgeConfigMap(pem: string, namespace: string): string {
  return stringifyYaml({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: BRIDGE_CONFIG_MAP, namespace, labels: { 'app.kubernetes.io/part-of': 'Linkerd' } },
    data: { [BRIDGE_KEY]: pem },
  });
}

/** Returns the option of the trust anchor with the signed bridge, as TypeScript. */
export function bridgeOption(pem: string): string {
  return `bridge: {\n  signedBy: 'Request',\n  certificate: \`\n${pem}\`,\n},\n`;
}
