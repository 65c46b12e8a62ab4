import {
  COMPROMISED_ANNOTATION,
  TRUST_ANCHOR_DEFAULTS,
  type TrustAnchorSpec,
  type TrustAnchorStatus,
} from '#anchor/trust-anchor';
import type { TrustAnchor } from '#operator/src/anchor/objects/trust-anchor';
import { anchorWarnings, checkTrustAnchor } from '#operator/src/anchor/webhooks/check-trust-anchor';
import { createSigningRequest } from '../../support/anchor/cert-manager/signing-request';
import { signedBridge } from '../../support/anchor/signed-bridge';
import { issueCertificate } from '../../support/cluster/certificates';

const NOW = Date.parse('2026-11-22T00:00:00Z');
const EVIDENCE = {
  missingNamespaces: [],
  hasCertManager: true,
  served: { linkerdNamespace: 'linkerd', certManagerNamespace: 'cert-manager' },
  workloads: 12,
  now: NOW,
};

function anchor(spec: Partial<TrustAnchorSpec> = {}, status?: TrustAnchorStatus): TrustAnchor {
  return { metadata: { name: 'linkerd' }, spec: { ...TRUST_ANCHOR_DEFAULTS, ...spec }, ...(status && { status }) };
}

const living: TrustAnchorStatus = {
  anchors: [{ generation: 1, key: 'a'.repeat(64), notAfter: '2030-11-22T00:00:00Z', role: 'Signing' }],
};
const foreign: TrustAnchorStatus = {
  anchors: [{ key: 'a'.repeat(64), notAfter: '2030-11-22T00:00:00Z', role: 'Signing' }],
};

test('the webhook refuses missing namespaces and a cluster without cert-manager', () => {
  const codes = (evidence: object) =>
    checkTrustAnchor({ anchor: anchor() }, { ...EVIDENCE, ...evidence }).map(
      ({ code, parameters }) => `${code} ${parameters?.name ?? 'cert-manager'}`,
    );
  expect(codes({})).toEqual([]);
  expect(codes({ missingNamespaces: ['linkerd'] })).toEqual(['anchor-prerequisite-missing linkerd']);
  expect(codes({ hasCertManager: false })).toEqual(['anchor-prerequisite-missing cert-manager']);
  expect(codes({ missingNamespaces: ['cert-manager'], hasCertManager: false })).toEqual([
    'anchor-prerequisite-missing cert-manager',
  ]);
});

test('the webhook never refuses a change that stops a rotation', () => {
  const evidence = { ...EVIDENCE, missingNamespaces: ['linkerd'], hasCertManager: false };
  expect(checkTrustAnchor({ anchor: anchor({ abort: true }), old: anchor() }, evidence)).toEqual([]);
});

describe('a leaked key', () => {
  const [known, unknown] = ['a'.repeat(64), 'b'.repeat(64)];
  const annotated = (text: string, status?: TrustAnchorStatus): TrustAnchor => {
    const one = anchor({}, status);
    return { ...one, metadata: { ...one.metadata, annotations: { [COMPROMISED_ANNOTATION]: text } } };
  };
  const refused = (changed: TrustAnchor, old?: TrustAnchor) =>
    checkTrustAnchor({ anchor: changed, ...(old && { old }) }, EVIDENCE).map(({ code, parameters }) => [
      code,
      parameters?.key,
    ]);

  test('is refused in the spec and in the annotation if no anchor has it', () => {
    const old = anchor({}, living);
    expect(refused(anchor({ compromised: [known] }), old)).toEqual([]);
    expect(refused(annotated(known), old)).toEqual([]);
    expect(refused(annotated(` ${known.toUpperCase()},\n`), old)).toEqual([]);
    expect(refused(anchor({ compromised: [unknown] }), old)).toEqual([['compromised-key-unknown', unknown]]);
    expect(refused(annotated(`${known}, ${unknown}`), old)).toEqual([['compromised-key-unknown', unknown]]);
    expect(refused(annotated('what is it'), old)).toHaveLength(3);
  });

  test('stays in the spec when its anchor is gone, and may be set on a new TrustAnchor', () => {
    expect(
      refused(anchor({ compromised: [unknown], paused: true }), anchor({ compromised: [unknown] }, living)),
    ).toEqual([]);
    expect(refused(anchor({ compromised: [unknown] }))).toEqual([]);
    const remembered = { ...living, memory: { bundles: [{ hash: 'x', keys: [unknown], since: NOW }] } };
    expect(refused(anchor({ compromised: [unknown] }), anchor({}, remembered))).toEqual([]);
  });

  test('draws a warning with the number of restarts and the obstacles to them', () => {
    const old = anchor({}, living);
    const warnings = (spec: Partial<TrustAnchorSpec>) =>
      anchorWarnings({ anchor: anchor({ compromised: [known], ...spec }), old }, EVIDENCE);
    expect(warnings({})).toHaveLength(1);
    expect(warnings({})[0]).toContain('12 meshed workloads');
    const never = { ...TRUST_ANCHOR_DEFAULTS.laggards, policy: 'Never' } as const;
    expect(warnings({ paused: true, abort: true, laggards: never })).toHaveLength(4);
    const same = anchor({ compromised: [known] }, living);
    expect(anchorWarnings({ anchor: same, old: same }, EVIDENCE)).toEqual([]);
  });
});

const root = issueCertificate({ commonName: 'root', ca: true });
const next = issueCertificate({ commonName: '1.root', ca: true });
const request = createSigningRequest({ commonName: '1.root', isCA: true }, next.key);
const asking: TrustAnchorStatus = {
  ...foreign,
  memory: { rotation: {} },
  bridge: { generation: 1, request, subject: 'CN=1.root', signer: 'CN=root', pathLength: 1 },
};
const byRequest = (certificate?: string): Partial<TrustAnchorSpec> => ({
  bridge: { signedBy: 'Request', ifUnsigned: 'Restart', ...(certificate !== undefined && { certificate }) },
});

test.each<[string, Partial<TrustAnchorSpec>, TrustAnchorStatus, readonly RegExp[]]>([
  ['nothing if a user signs the bridge', { rotateNow: 'one', ...byRequest() }, foreign, []],
  ['nothing if the bridge is right', byRequest(signedBridge(request, root)), asking, []],
  ['nothing if the request of the bridge is unknown', byRequest(signedBridge(request, root)), foreign, []],
  ['a bridge of another key', byRequest(root.cert), asking, [/is not for the request/]],
  ['a bridge that cannot be read', byRequest('a text'), foreign, [/no certificate in PEM/]],
  ['nothing if only the duration changes', { duration: '43800h' }, living, []],
  ['nothing if a bridge makes restarts unnecessary', { rotateNow: 'one' }, living, []],
  ['restarts if no bridge is possible', { rotateNow: 'one' }, foreign, [/12 meshed workloads are restarted before/]],
  ['a rotation at once', { renewBefore: '70000h' }, living, [/begins at once: the anchor expires in 4y/]],
  ['a plan that ends too late', { rotateNow: 'one' }, { ...living, slack: '-3h' }, [/its slack is -3h/]],
  [
    'namespaces that the operator does not serve',
    { controlPlaneNamespace: 'mesh' },
    living,
    [/serves the control plane in linkerd/],
  ],
  ['a late abort', { abort: true }, { ...living, memory: { rotation: { retiring: true } } }, [/comes too late/]],
  [
    'an abort after other clusters may have removed the old anchor',
    { abort: true },
    { ...living, memory: { rotation: { committed: true } } },
    [/may have removed/],
  ],
  ['nothing if an abort is in time', { abort: true }, { ...living, memory: { rotation: {} } }, []],
  [
    'the removal of a member',
    { members: [] },
    { ...living, memory: { rotation: {} } },
    [/no longer waits for cluster east/],
  ],
])('the webhook warns about %s', (_, spec, status, expected) => {
  const old = anchor({ members: ['east'] }, status);
  const warnings = anchorWarnings({ anchor: { ...old, spec: { ...old.spec, ...spec } }, old }, EVIDENCE);
  expect(warnings).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  expect(warnings.filter((warning) => warning.length > 256)).toEqual([]);
});
