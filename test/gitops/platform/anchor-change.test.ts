import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { LinkerdMesh } from '#lib/constructs/mesh';
import type { CertManagerPKIProps } from '#lib/constructs/pki/cert-manager-pki';
import { TrustAnchor } from '#lib/constructs/pki/trust-anchor';
import { Platform, type PlatformProps } from '#lib/gitops/platform/platform';
import { SynthError } from '#lib/gitops/platform/report';
import { readFiles, temporaryDirectory } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();
const outdir = () => join(directory.path, 'dist');

type Pki = Omit<CertManagerPKIProps, 'certManager' | 'alerts'>;

function platform(pki: Pki, { name = 'home', operator = false, ...props }: Partial<PlatformProps> & Mesh = {}) {
  const made = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: outdir(), ...props });
  const external = [
    { kind: 'ClusterIssuer', name: 'vault' },
    { kind: 'ClusterIssuer', name: 'other' },
    { kind: 'ClusterIssuer', name: 'next' },
  ] as const;
  const ring = props.rings === undefined ? {} : { ring: 'rest' };
  made.addCluster(name, { destination: { name }, external, ...ring }, (cluster) => {
    const rotation = operator || pki.trustAnchor !== undefined ? {} : { trustAnchor: BY_HAND };
    new LinkerdMesh(cluster, 'mesh', {
      crds: { gatewayApi: 'existing' },
      viz: false,
      ...(operator ? { operator: {} } : {}),
      pki: { ...rotation, ...pki },
    });
  });
  return made;
}

interface Mesh {
  readonly name?: string;
  readonly operator?: boolean;
}

const BY_HAND = { duration: Duration.days(3650), renewBefore: Duration.days(365), rotation: 'manual' } as const;
const BY_OPERATOR = { ...BY_HAND, rotation: 'operator' } as const;
const pem = (name: string) => readFileSync(join(__dirname, '../../constructs/pki/fixtures', name), 'utf8');
const [A, B] = [pem('anchor.pem'), pem('anchor-rsa2048.pem')];
const vault = (certificates: string, name = 'vault') => ({
  trustAnchor: TrustAnchor.fromPem({ certificates, issuer: { name } }),
});
const inSecret = { trustAnchor: TrustAnchor.fromClusterIssuer({ name: 'vault', roots: { secretName: 'vault-root' } }) };

function refusal(act: () => unknown): Problem | undefined {
  try {
    act();
  } catch (error) {
    if (!(error instanceof SynthError)) throw error;
    expect(error.findings).toHaveLength(1);
    return error.findings[0]?.problem;
  }
  return undefined;
}

/** Returns the id of the change that synth refuses, by which the user accepts it. */
function changeId(act: () => unknown): string {
  return String(refusal(act)?.parameters?.id);
}

test.each<[string, Pki, Pki, string]>([
  ['a move to Vault', {}, inSecret, 'from Certificate cert-manager/linkerd-trust-anchor to ClusterIssuer vault'],
  ['a move from Vault', inSecret, {}, 'from ClusterIssuer vault to Certificate cert-manager/linkerd-trust-anchor'],
  ['another PEM root', vault(A), vault(B), 'the trust bundle loses CN='],
  ['the removal of a PEM root', vault(A + B), vault(B), 'the trust bundle loses CN='],
  ['another issuer with the same roots', vault(A + B), vault(A + B, 'other'), 'to ClusterIssuer other'],
  ['a move from PEM', vault(A), inSecret, 'the trust bundle loses CN='],
  [
    'another Secret of the trust anchor',
    { trustAnchor: TrustAnchor.fromSecret({ secretName: 'one' }) },
    { trustAnchor: TrustAnchor.fromSecret({ secretName: 'two' }) },
    'from Secret one to Secret two',
  ],
  [
    'another duration of the trust anchor',
    {},
    { trustAnchor: { ...BY_HAND, duration: Duration.days(7300) } },
    'Certificate cert-manager/linkerd-trust-anchor gets another key by duration',
  ],
  ['another trust domain', {}, { trustDomain: 'mesh.example' }, 'gets another key by commonName'],
  [
    'another generation by hand',
    { trustAnchor: { ...BY_HAND, generation: 1 } },
    { trustAnchor: { ...BY_HAND, generation: 2 } },
    'linkerd-trust-anchor-1 to Certificate cert-manager/linkerd-trust-anchor-2',
  ],
])('synth refuses %s after the first output', (_, before, after, changes) => {
  platform(before).synth();
  expect(refusal(() => platform(after).synth({ check: true }))).toMatchObject({
    code: 'anchor-changed',
    parameters: { changes: expect.stringContaining(changes) },
  });
});

test('synth writes nothing after a change of the trust anchor until the user accepts it by its id', () => {
  platform(vault(A)).synth();
  const files = readFiles(outdir());
  const id = changeId(() => platform(vault(B)).synth());
  expect(readFiles(outdir())).toEqual(files);
  expect(refusal(() => platform({ ...vault(B), acceptAnchorChange: `${id}.` }).synth())).toBeDefined();
  const accepted = { ...vault(B), acceptAnchorChange: ['another one', id] };
  platform(accepted).synth();
  // The id stays valid for this change, and accepts neither its reversal nor another change.
  expect(platform(accepted).synth({ check: true })).toMatchObject({ differences: [] });
  expect(refusal(() => platform({ ...vault(A), acceptAnchorChange: id }).synth())).toBeDefined();
  expect(refusal(() => platform({ ...vault(A, 'next'), acceptAnchorChange: id }).synth())).toBeDefined();
});

test.each<[string, Pki, Pki & { before?: boolean; after?: boolean }]>([
  ['a root is added', vault(A), vault(A + B)],
  ['the order of roots changes', vault(A + B), vault(B + A)],
  ['its renewBefore changes', {}, { trustAnchor: { ...BY_HAND, renewBefore: Duration.days(400) } }],
  ['the issuer lives longer', {}, { identityIssuer: { duration: Duration.days(7), renewBefore: Duration.days(3) } }],
  ['the operator takes it over', {}, { trustAnchor: BY_OPERATOR, after: true }],
  [
    'the operator returns it',
    { trustAnchor: BY_OPERATOR },
    { trustAnchor: { ...BY_HAND, generation: 2 }, before: true },
  ],
  [
    'the operator returns it as generation 0',
    { trustAnchor: BY_OPERATOR },
    { trustAnchor: { ...BY_HAND, generation: 0 }, before: true },
  ],
  ['generation 0 is set', {}, { trustAnchor: { ...BY_HAND, generation: 0 } }],
  [
    'the operator returns it, and its renewBefore changes',
    { trustAnchor: BY_OPERATOR },
    { trustAnchor: { ...BY_HAND, generation: 1, renewBefore: Duration.days(400) }, before: true },
  ],
  [
    'the duration of the next trust anchor of the operator changes',
    { trustAnchor: BY_OPERATOR },
    { trustAnchor: { ...BY_OPERATOR, duration: Duration.days(1000) }, before: true, after: true },
  ],
  [
    'the operator replaces one with an external key',
    vault(A),
    { trustAnchor: { ...BY_OPERATOR, operator: { previous: A } }, after: true },
  ],
  [
    "the operator takes over the Secret linkerd-trust-anchor of Linkerd's guide",
    { trustAnchor: TrustAnchor.fromSecret({ secretName: 'linkerd-trust-anchor', key: 'tls.crt' }) },
    { trustAnchor: BY_OPERATOR, after: true },
  ],
])(
  'synth reports nothing about the trust anchor if %s',
  (_, before, { before: old = false, after: next = false, ...after }) => {
    platform(before, { operator: old }).synth();
    expect(refusal(() => platform(after, { operator: next }).synth())).toBeUndefined();
  },
);

test.each<[string, Pki, string]>([
  ['without a generation', { trustAnchor: BY_HAND }, 'to Certificate cert-manager/linkerd-trust-anchor'],
  [
    'with another duration',
    { trustAnchor: { ...BY_HAND, generation: 1, duration: Duration.days(7300) } },
    'to Certificate cert-manager/linkerd-trust-anchor-1 with another duration',
  ],
  [
    'with generation 0 and another duration',
    { trustAnchor: { ...BY_HAND, generation: 0, duration: Duration.days(7300) } },
    'linkerd-trust-anchor with another duration',
  ],
  [
    'with another trust domain',
    { trustDomain: 'mesh.example', trustAnchor: { ...BY_HAND, generation: 1 } },
    'linkerd-trust-anchor-1 with another commonName',
  ],
])('synth refuses a trust anchor that the operator returns %s', (_, after, changes) => {
  platform({ trustAnchor: BY_OPERATOR }, { operator: true }).synth();
  expect(refusal(() => platform(after).synth())).toMatchObject({
    code: 'anchor-changed',
    cause: 'operator',
    parameters: { changes: expect.stringContaining(changes) },
  });
  const id = changeId(() => platform(after).synth());
  expect(refusal(() => platform({ ...after, acceptAnchorChange: id }).synth())).toBeUndefined();
});

test('the user accepts the removal of the previous root of the operator by its id', () => {
  const previous = { trustAnchor: { ...BY_OPERATOR, operator: { previous: A } } };
  platform(previous, { operator: true }).synth();
  const id = changeId(() => platform({ trustAnchor: BY_OPERATOR }, { operator: true }).synth());
  expect(id).toContain('TrustAnchor linkerd without CN=');
  platform({ trustAnchor: BY_OPERATOR, acceptAnchorChange: id }, { operator: true }).synth();
});
