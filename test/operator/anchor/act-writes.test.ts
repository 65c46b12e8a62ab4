import { next } from '#anchor/rotation/next';
import {
  anchorName,
  BRIDGE_CONFIG_MAP,
  BRIDGE_KEY,
  certificationName,
  IDENTITY_ISSUER,
  KEPT_ROOTS,
  TRUST_ANCHOR_NAME,
  TRUST_ROOTS,
  TRUST_ROOTS_KEY,
} from '#anchor/trust-anchor';
import { splitKey } from '#controller-runtime/objects/kube-object';
import { type ActOutcome, act } from '#operator/src/anchor/act/act';
import type { ActionContext } from '#operator/src/anchor/act/action-context';
import type { WritingAction } from '#operator/src/anchor/act/fence';
import { type TrustAnchor, withDefaults } from '#operator/src/anchor/objects/trust-anchor';
import { observe } from '#operator/src/anchor/observe/observe';
import { answeredCertificates } from '#operator/src/anchor/observe/observe-answers';
import { createSigningRequest } from '../../support/anchor/cert-manager/signing-request';
import { type Fault, faultyClient } from '../../support/anchor/played/faults';
import type { MemoryApi, Write } from '../../support/anchor/played/memory-api';
import type { PlayedMesh } from '../../support/anchor/played/played-mesh';
import { issueCertificate } from '../../support/cluster/certificates';
import { stableMesh } from './executor-trial';

type Change = (api: MemoryApi) => void;

interface Case<Do extends WritingAction['do'] = WritingAction['do']> {
  readonly action: Extract<WritingAction, { do: Do }>;
  /** Distinguishes cases of one action in their titles. */
  readonly what?: string;
  /** Whether the action is irreversible: it removes a key or a root, or gets something signed. */
  readonly isFinal: boolean;
  /** The mesh in which the action is decided. @default - a mesh that has announced generation 2 */
  readonly begin?: () => PlayedMesh;
  readonly prepare?: Change;
}

const CERT_MANAGER = 'cert-manager';
const TWO = anchorName(2);
const away = issueCertificate({ commonName: 'away', ca: true });
const request = createSigningRequest({ commonName: 'away', isCA: true }, away.key);
const [answer] = answeredCertificates(away.cert);

let announced: PlayedMesh;
/** A mesh that is about to create generation 2, and already has its Secret. */
let begun: PlayedMesh;

beforeAll(async () => {
  begun = await stableMesh();
  begun.spec({ rotateNow: 'two' });
  announced = begun.copy();
  begun.api.put('secrets', { metadata: { name: TWO, namespace: CERT_MANAGER } });
  const operator = announced.operator();
  while (announced.status().phase !== 'Announced') announced.pass(Math.max(1_000, await operator.look()));
});

const certificate: Change = (api) =>
  void api.put('certificaterequests', { metadata: { name: certificationName('away'), namespace: CERT_MANAGER } });

const report: Change = (api) =>
  void api.put('configmaps', {
    metadata: { name: 'report', namespace: CERT_MANAGER },
    data: { cluster: 'away', signing: answer?.key ?? '', adopted: '', request },
  });

const askedBridge: Change = (api) => {
  api.put('trustanchors', {
    metadata: { name: TRUST_ANCHOR_NAME },
    spec: { bridge: { signedBy: 'Request', ifUnsigned: 'Restart' } },
  });
  const metadata = { name: BRIDGE_CONFIG_MAP, namespace: CERT_MANAGER };
  api.put('configmaps', { metadata, data: { [BRIDGE_KEY]: away.cert } });
  const owner = api.find('certificates', `${CERT_MANAGER}/${TWO}`)?.metadata;
  api.put('certificaterequests', {
    metadata: {
      name: 'asked',
      namespace: CERT_MANAGER,
      annotations: { 'cert-manager.io/certificate-name': TWO, 'cert-manager.io/certificate-revision': '2' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Certificate', name: TWO, uid: owner?.uid ?? '' }],
    },
    spec: { issuerRef: { group: 'config.linkerd.io', kind: 'TrustAnchor', name: TRUST_ANCHOR_NAME } },
  });
};

const anchor = { do: 'apply-anchor', generation: 2, signer: 'self' } as const;

/** All actions that write, in each form. */
const CASES: { readonly [Do in WritingAction['do']]: readonly Case<Do>[] } = {
  'apply-anchor': [
    { action: { ...anchor, bundled: true }, isFinal: false },
    { action: { ...anchor, bundled: false }, what: 'outside of the bundle', isFinal: true },
    { action: { ...anchor, bundled: true }, what: 'over an existing Secret', isFinal: true, begin: () => begun },
  ],
  'answer-request': [
    {
      action: { do: 'answer-request', generation: 2, certificates: [answer?.id ?? ''], signer: '' },
      isFinal: true,
      prepare: askedBridge,
    },
  ],
  certify: [
    { action: { do: 'certify', cluster: 'away', generation: 1, duration: 1_000 }, isFinal: true, prepare: report },
    {
      action: { do: 'certify', cluster: 'away', generation: 1, duration: 1_000 },
      what: 'with an existing request',
      isFinal: true,
      prepare: (api) => [report, certificate].forEach((prepare) => void prepare(api)),
    },
  ],
  'withdraw-certificate': [
    { action: { do: 'withdraw-certificate', cluster: 'away' }, isFinal: false, prepare: certificate },
  ],
  'keep-roots': [
    {
      action: { do: 'keep-roots', keys: [] },
      what: 'without their ConfigMap',
      isFinal: false,
      prepare: (api) => api.remove('configmaps', `${CERT_MANAGER}/${KEPT_ROOTS}`),
    },
    { action: { do: 'keep-roots', keys: [] }, what: 'over their ConfigMap', isFinal: true },
  ],
  'apply-issuer': [
    { action: { do: 'apply-issuer', generation: 1 }, isFinal: false },
    { action: { do: 'apply-issuer', generation: 2 }, what: 'of the next generation', isFinal: false },
  ],
  bundle: [
    { action: { do: 'bundle', generation: 2, bundled: true }, isFinal: false },
    { action: { do: 'bundle', generation: 2, bundled: false }, what: 'without the next generation', isFinal: true },
  ],
  'keep-key': [{ action: { do: 'keep-key', generation: 2 }, isFinal: false }],
  'renew-anchor': [{ action: { do: 'renew-anchor', generation: 2 }, isFinal: false }],
  'set-signer': [
    { action: { do: 'set-signer', generation: 2 }, isFinal: true },
    {
      action: { do: 'set-signer', generation: 2 },
      what: 'without a ClusterIssuer',
      isFinal: true,
      prepare: (api) => api.remove('clusterissuers', IDENTITY_ISSUER),
    },
  ],
  'hold-signer': [{ action: { do: 'hold-signer' }, isFinal: true }],
  'renew-issuer': [{ action: { do: 'renew-issuer', revision: 1 }, isFinal: false }],
  'restart-identity': [
    {
      action: { do: 'restart-identity', revision: 1 },
      isFinal: false,
      prepare: (api) => void api.put('deployments', { metadata: { name: 'linkerd-identity', namespace: 'linkerd' } }),
    },
  ],
  'delete-anchor': [
    { action: { do: 'delete-anchor', generation: 2 }, isFinal: true },
    {
      action: { do: 'delete-anchor', generation: 2 },
      what: 'with an Issuer',
      isFinal: true,
      prepare: (api) => void api.put('issuers', { metadata: { name: TWO, namespace: CERT_MANAGER }, spec: {} }),
    },
  ],
};

const cases = (Object.values(CASES) as readonly (readonly Case[])[])
  .flat()
  .map((one) => [`${one.action.do} ${one.what ?? ''}`.trim(), one] as const);

/** The executor does not read these kinds before it writes them, or writes them whatever they contain. */
const UNREAD = new Set(['secrets', 'deployments']);

/** A copy of the mesh, with the context of a decision from its present state. */
function decided({ begin = () => announced, prepare }: Case): {
  readonly api: MemoryApi;
  readonly context: ActionContext;
} {
  const mesh = begin().copy();
  prepare?.(mesh.api);
  const { context } = mesh.operator();
  const trustAnchor = withDefaults(mesh.api.find('trustanchors', TRUST_ANCHOR_NAME) as TrustAnchor);
  const view = {
    ...context.caches.view(),
    anchor: trustAnchor,
    issuerEnds: new Map<string, number>(),
    installedIssuer: '',
  };
  const { trust, known } = observe(view, mesh.now());
  const plan = next(trust, mesh.now());
  const { signal } = new AbortController();
  return { api: mesh.api, context: { ...context, signal, anchor: trustAnchor, view, trust, known, plan } };
}

interface Carried {
  readonly outcome: ActOutcome;
  readonly writes: readonly Write[];
}

/** The second action of each plan: it must not run after a failed first action. */
const AFTER: WritingAction = { do: 'keep-key', generation: 1 };

/** Carries out the action and `AFTER` with a fault, or after a change that the decision did not see. */
async function carryOut(
  one: Case,
  { change, fault }: { readonly change?: Change; readonly fault?: Fault } = {},
): Promise<Carried> {
  const { api, context } = decided(one);
  change?.(api);
  const { client } = faultyClient(api.client, fault);
  const outcome = await act([one.action, AFTER], { ...context, client });
  return { outcome, writes: api.writes };
}

/** The writes of the plan without a fault. */
async function unhindered(one: Case): Promise<readonly Write[]> {
  const { outcome, writes } = await carryOut(one);
  expect(outcome).toEqual({ isOutdated: false });
  expect(writes.length).toBeGreaterThan(1);
  return writes;
}

/** Changes or creates an object without an effect on the plan. */
function touch(api: MemoryApi, { plural, key }: Pick<Write, 'plural' | 'key'>): void {
  const { namespace, name } = splitKey(key);
  const metadata = { name, ...(namespace && { namespace }), annotations: { 'test/touched': 'true' } };
  api.put(plural, { metadata, ...(api.find(plural, key) === undefined && { spec: {} }) });
}

const OUTDATED = { isOutdated: true };
const TRUST_ANCHOR = { plural: 'trustanchors', key: TRUST_ANCHOR_NAME };

/** Touches the object during the n-th write, counted from 0. */
const touchAt =
  (n: number, object: Pick<Write, 'plural' | 'key'>): Change =>
  (api) =>
    api.onWrite(() => void (api.writes.length === n && touch(api, object)));

describe.each(cases)('the action %s', (_name, one) => {
  test('ends with its plan at a refused write', async () => {
    const whole = await unhindered(one);
    for (const [index] of whole.entries()) {
      const action = index === whole.length - 1 ? AFTER : one.action;
      const refused = { isOutdated: false, refused: `${action.do}: not permitted` };
      for (const [kind, outcome] of [['conflict', OUTDATED] as const, ['refused', refused] as const]) {
        const carried = await carryOut(one, { fault: { kind, at: index + 1 } });
        expect({ index, ...carried }).toEqual({ index, outcome, writes: whole.slice(0, index) });
      }
    }
  });

  test('overwrites only the versions of objects that the decision read', async () => {
    const whole = await unhindered(one);
    for (const [index, write] of whole.entries()) {
      if (UNREAD.has(write.plural)) continue;
      const before = await carryOut(one, { change: (api) => touch(api, write) });
      expect({ write, ...before.outcome }).toEqual({ write, ...OUTDATED });
      expect(before.writes).toEqual(whole.slice(0, before.writes.length));
      expect(before.writes).not.toContainEqual(write);
      if (write.verb !== 'delete' && decided(one).api.find(write.plural, write.key) !== undefined) {
        const gone = await carryOut(one, { change: (api) => api.remove(write.plural, write.key) });
        expect({ write, ...gone.outcome }).toEqual({ write, ...OUTDATED });
        expect(gone.writes).not.toContainEqual(write);
      }
      if (index === 0 || whole[index - 1]?.key === write.key) continue;
      const between = await carryOut(one, { change: touchAt(index - 1, write) });
      expect({ write, ...between }).toEqual({ write, outcome: OUTDATED, writes: whole.slice(0, index) });
    }
  });
});

describe('an operator that has lost its leadership unnoticed writes nothing:', () => {
  const others: Readonly<Record<string, Change>> = {
    'another leader wrote to the TrustAnchor': (api) => touch(api, TRUST_ANCHOR),
    'the TrustAnchor is gone': (api) => api.remove('trustanchors', TRUST_ANCHOR_NAME),
  };

  test.each(cases)('%s', async (_name, one) => {
    for (const [what, change] of Object.entries(others)) {
      expect({ what, ...(await carryOut(one, { change })) }).toEqual({ what, outcome: OUTDATED, writes: [] });
    }
    const whole = await unhindered(one);
    const { writes } = await carryOut(one, { change: touchAt(whole.length - 2, TRUST_ANCHOR) });
    expect(writes).toEqual(whole.slice(0, -1));
  });
});

describe('the operator drops an irreversible action if the cluster changed after the decision:', () => {
  const issuer = { name: IDENTITY_ISSUER, namespace: 'linkerd' };
  const changes: Readonly<Record<string, Change>> = {
    'the signer was moved': (api) =>
      void api.put('clusterissuers', { metadata: { name: IDENTITY_ISSUER }, spec: { ca: { secretName: 'other' } } }),
    'the identity issuer was issued again': (api) =>
      void api.put('certificates', { metadata: issuer, status: { revision: 99 } }),
    'the identity issuer is being issued': (api) =>
      void api.put('certificates', { metadata: issuer, status: { conditions: [{ type: 'Issuing', status: 'True' }] } }),
    'the identity issuer is gone': (api) => api.remove('certificates', `linkerd/${IDENTITY_ISSUER}`),
    'the bundle was changed': (api) =>
      void api.put('configmaps', {
        metadata: { name: TRUST_ROOTS, namespace: 'linkerd' },
        data: { [TRUST_ROOTS_KEY]: 'another one' },
      }),
  };

  test.each(cases.filter(([, { isFinal }]) => isFinal))('%s', async (_name, one) => {
    for (const [what, change] of Object.entries(changes)) {
      expect({ what, ...(await carryOut(one, { change })) }).toEqual({ what, outcome: OUTDATED, writes: [] });
    }
  });
});

test('the operator deletes the Issuer of a generation last, so that it finds each remaining key', async () => {
  const [one] = CASES['delete-anchor'];
  const writes = await unhindered(one as Case);
  expect(writes.slice(0, -1).map(({ verb, plural }) => `${verb} ${plural}`)).toEqual([
    'apply issuers',
    'delete certificates',
    'delete secrets',
    'delete issuers',
  ]);
});

test('the operator answers a signing request only with complete chains', async () => {
  const [one] = CASES['answer-request'];
  const action = { ...one?.action, certificates: [answer?.id ?? '', 'unknown'] } as WritingAction;
  expect(await carryOut({ ...(one as Case), action })).toEqual({ outcome: OUTDATED, writes: [] });
});

test('an error that is neither a conflict nor a refusal ends the plan', async () => {
  const [, one] = cases[0] ?? [];
  const { api, context } = decided(one as Case);
  const { client } = faultyClient(api.client, { kind: 'unanswered', at: 1 });
  await expect(act([(one as Case).action, AFTER], { ...context, client })).rejects.toThrow('unanswered');
  expect(api.writes).toHaveLength(1);
});
