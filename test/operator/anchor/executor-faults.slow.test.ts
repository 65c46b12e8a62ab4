import { anchorName, BRIDGE_CONFIG_MAP, IDENTITY_ISSUER } from '#anchor/trust-anchor';
import { type Fault, faultyClient } from '../../support/anchor/played/faults';
import { parsedCertificate } from '../../support/anchor/played/played-cert-manager';
import { brokenPods, type PlayedMesh, playedMesh, rotateTo } from '../../support/anchor/played/played-mesh';
import { signedBridge } from '../../support/anchor/signed-bridge';
import type { KeyPair } from '../../support/cluster/certificates';
import { faultsOf, place, secretKeys, stableMesh, tryAll } from './executor-trial';

let stable: PlayedMesh;

beforeAll(async () => {
  stable = await stableMesh();
});

test('an executor with a fault at any one write or read still creates a first anchor', async () => {
  await tryAll(playedMesh(), 1, { change: () => undefined, issuers: [] });
}, 300_000);

test('an executor with a fault at any one write or read still aborts a rotation whose new anchor signs', async () => {
  const signing = stable.copy();
  signing.spec({ rotateNow: 'two' });
  const operator = signing.operator();
  while (signing.status().phase !== 'Signing') signing.pass(Math.max(1_000, await operator.look()));
  await tryAll(signing, 1, { change: (mesh) => mesh.spec({ abort: true }), issuers: [anchorName(1)] });
}, 300_000);

test('an executor with a fault at any one write or read still rotates from an external key without a bridge', async () => {
  const begin = stable.copy();
  const name = anchorName(1);
  for (const plural of ['certificates', 'secrets', 'issuers']) begin.api.remove(plural, place(name));
  begin.api.remove('clusterissuers', IDENTITY_ISSUER);
  begin.pass(60_000);
  await begin.operator().look();
  // The external anchor has no generation, so that the next one is 1.
  await tryAll(begin, 1, { change: (mesh) => mesh.spec({ rotateNow: 'two' }), issuers: [] });
}, 300_000);

test('an executor with a fault at any one write or read still rotates over a bridge by an external key', async () => {
  const begin = stable.copy();
  const name = anchorName(1);
  const root = begin.api.find('secrets', place(name))?.tls as KeyPair;
  for (const plural of ['certificates', 'secrets', 'issuers']) begin.api.remove(plural, place(name));
  begin.api.remove('clusterissuers', IDENTITY_ISSUER);
  // As after `linkerd install`: the operator has no memory of an anchor, and no Certificate of one exists.
  begin.api.put('trustanchors', { metadata: { name: 'linkerd' }, status: { memory: { current: null } } });
  begin.spec({ commonName: 'next.linkerd.cluster.local' });
  begin.pass(60_000);
  await begin.operator().look();
  const bridge = { signedBy: 'Request', ifUnsigned: 'Restart' } as const;
  const { validToDate: notAfter } = parsedCertificate(root.cert);
  const person = (mesh: PlayedMesh): void => {
    const { request } = mesh.status().bridge ?? {};
    if (request === undefined) return;
    const data = { 'tls.crt': signedBridge(request, root, { notBefore: new Date(mesh.now()), notAfter }) };
    mesh.api.put('configmaps', { metadata: { name: BRIDGE_CONFIG_MAP, namespace: 'cert-manager' }, data });
  };
  const change = (mesh: PlayedMesh): void => mesh.spec({ rotateNow: 'two', bridge });
  await tryAll(begin, 1, { change, issuers: [], person });
}, 300_000);

test('an executor with a fault at any one write or read still extends a paused anchor once, with its own key', async () => {
  const begin = playedMesh({ duration: '24h', renewBefore: '12h' });
  await rotateTo(begin, 1);
  begin.spec({ paused: true });
  begin.pass(20 * 3_600_000);
  const extend = async (fault?: Fault) => {
    const mesh = begin.copy();
    const faulty = faultyClient(mesh.api.client, fault);
    const first = mesh.operator({ client: faulty.client });
    const broken: string[] = [];
    const [key] = secretKeys(mesh).values();
    for (let looks = 0; looks < 45; looks += 1) {
      // Until three hours after the original expiry of the anchor.
      mesh.pass(10 * 60_000);
      await (faulty.isDead() ? mesh.operator() : first).look().catch(() => undefined);
      broken.push(...brokenPods(mesh));
    }
    const status = mesh.api.find('certificates', place(anchorName(1)))?.status ?? {};
    return {
      faulty,
      result: {
        broken: [...new Set(broken)],
        isSameKey: secretKeys(mesh).get(anchorName(1)) === key,
        revision: status.revision,
        hoursLeft: Math.round((Date.parse(status.notAfter) - mesh.now()) / 3_600_000),
      },
    };
  };
  const whole = await extend();
  expect(whole.result).toMatchObject({ broken: [], isSameKey: true, revision: 2 });
  expect(whole.result.hoursLeft).toBeGreaterThan(12);
  const reads = Math.min(20, whole.faulty.reads());
  const faults = faultsOf(whole.faulty).filter(({ kind, at }) => kind !== 'unread' || at <= reads);
  for (const fault of faults) {
    const one = await extend(fault);
    expect({ fault, ...one.result }).toEqual({ fault, ...whole.result });
  }
}, 300_000);
