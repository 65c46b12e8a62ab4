import { createPublicKey } from 'node:crypto';
import { anchorName, anchorNames, BRIDGE_CONFIG_MAP, IDENTITY_ISSUER } from '../../../operator/api/trust-anchor';
import { type Fault, type FaultyClient, faultyClient } from '../../support/anchor/played/faults';
import type { AnyObject, Write } from '../../support/anchor/played/memory-api';
import { blocks, parsedCertificate } from '../../support/anchor/played/played-cert-manager';
import {
  brokenPods,
  bundleOf,
  keptRoots,
  type PlayedMesh,
  type PlayedOperator,
  playedMesh,
  rotateTo,
} from '../../support/anchor/played/played-mesh';
import { signedBridge } from '../../support/anchor/signed-bridge';
import type { KeyPair } from '../../support/cluster/certificates';

let stable: PlayedMesh;

beforeAll(async () => {
  stable = playedMesh();
  await rotateTo(stable, 1);
  for (let minutes = 0; minutes < 10; minutes += 1) stable.pass(60_000);
});

const place = (name: string): string => `cert-manager/${name}`;

/** The anchors' keys that are in the cluster, by the names of their Secrets. */
function secretKeys({ api }: PlayedMesh): ReadonlyMap<string, string> {
  return new Map(
    anchorNames().flatMap((name) => {
      const secret = api.find('secrets', place(name));
      return secret === undefined ? [] : [[name, publicKeyOf(secret.tls.key)] as const];
    }),
  );
}

const publicKeys = new Map<string, string>();

/** The public key of a certificate or of a private key, PEM: read once, as each write asks for the same few. */
function publicKeyOf(pem: string): string {
  const known = publicKeys.get(pem);
  if (known !== undefined) return known;
  const key = createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64');
  publicKeys.set(pem, key);
  return key;
}

const rootKeys = (pems: readonly string[]): readonly string[] => pems.map(publicKeyOf);

type Rules = readonly (readonly [isKept: boolean, rule: string])[];

/** The rules of ADR 12 that each single write keeps, by what is in the cluster at that moment. */
function brokenRules(mesh: PlayedMesh, write: Write, body: AnyObject | undefined): readonly string[] {
  const rules = [...rulesOfAnchors(mesh, write), ...(body === undefined ? [] : rulesOfMesh(mesh, write, body))];
  return rules.flatMap(([isKept, rule]) => (isKept ? [] : [rule]));
}

function rulesOfAnchors(mesh: PlayedMesh, { verb, plural, key }: Write): Rules {
  const rotation = mesh.status().memory?.rotation;
  const name = key.slice(place('').length);
  if (!anchorNames().includes(name) || key !== place(name)) return [];
  const isNext = name === anchorName(rotation?.to);
  if (verb !== 'delete') {
    const isNew = plural === 'certificates' && mesh.api.find(plural, key) === undefined;
    return [[!isNew || isNext, 'a generation is made that the status does not know of']];
  }
  const isKept = rootKeys(keptRoots(mesh.api)).includes(secretKeys(mesh).get(name) ?? '');
  return [
    [pointedIn(mesh) !== name, `${plural} ${key} is deleted while it signs`],
    [isNext ? rotation.aborting === true : rotation?.retiring === true, `${plural} ${key} is deleted early`],
    [isNext || plural !== 'secrets' || isKept, 'a key goes whose root is not kept until nothing of it lives'],
  ];
}

function rulesOfMesh(mesh: PlayedMesh, { plural }: Write, body: AnyObject): Rules {
  const rotation = mesh.status().memory?.rotation;
  if (plural === 'clusterissuers') {
    const isNext = body.spec.ca.secretName === anchorName(rotation?.to) && body.spec.ca.secretName !== pointedIn(mesh);
    return [[!isNext || rotation.key !== undefined, 'the signer moves before the status knows its key']];
  }
  if (plural !== 'configmaps') return [];
  const after = new Set(rootKeys(blocks(Object.values(body.data).join(''))));
  const gone = rootKeys(keptRoots(mesh.api)).filter((root) => !after.has(root));
  const held = new Set(secretKeys(mesh).values());
  return [[rotation?.aborting || !gone.some((root) => held.has(root)), 'a root goes whose key can still sign']];
}

const pointedIn = ({ api }: PlayedMesh): string | undefined =>
  api.find('clusterissuers', IDENTITY_ISSUER)?.spec.ca.secretName;

interface Run {
  readonly mesh: PlayedMesh;
  readonly faulty: FaultyClient;
  readonly broken: readonly string[];
}

/** Has one rotation done, or taken back, by an operator that meets a fault, and by those that come after it. */
async function run(
  begin: PlayedMesh,
  generation: number,
  { change, person }: Pick<Trial, 'change' | 'person'>,
  fault?: Fault,
): Promise<Run> {
  const mesh = begin.copy();
  const broken: string[] = [];
  mesh.api.onWrite((write, body) => broken.push(...brokenRules(mesh, write, body)));
  const faulty = faultyClient(mesh.api.client, fault);
  const faultyOperator = mesh.operator({ client: faulty.client });
  // A process that meets an error looks again; one that is dead is followed by another one.
  const operators = (): PlayedOperator => (faulty.isDead() ? mesh.operator() : faultyOperator);
  change(mesh);
  await rotateTo(mesh, generation, {
    operators,
    afterLook: () => {
      broken.push(...brokenPods(mesh));
      person?.(mesh);
    },
  });
  return { mesh, faulty, broken: [...new Set(broken)] };
}

const KINDS = ['killed-before', 'killed-after', 'unanswered', 'conflict'] as const;

/** Each fault that a run without one could have met. */
function faultsOf(faulty: FaultyClient): readonly Fault[] {
  const at = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
  return [
    ...at(faulty.writes()).flatMap((n) => KINDS.map((kind) => ({ kind, at: n }))),
    ...at(faulty.reads()).map((n) => ({ kind: 'unread', at: n }) as const),
  ];
}

/** What a run ends with: names of what is left of the anchors. */
function rest({ mesh }: Run): object {
  const names = (plural: string) =>
    mesh.api
      .list(plural, 'cert-manager')
      .map(({ metadata }) => metadata.name)
      .filter((name) => anchorNames().includes(name));
  return {
    certificates: names('certificates'),
    secrets: names('secrets'),
    issuers: names('issuers'),
    pointed: mesh.api.find('clusterissuers', IDENTITY_ISSUER)?.spec.ca.secretName,
    roots: blocks(bundleOf(mesh.api)).length,
  };
}

interface Trial {
  readonly change: (mesh: PlayedMesh) => void;
  /** What somebody does between two looks. */
  readonly person?: (mesh: PlayedMesh) => void;
  /** The Issuers that are left. */
  readonly issuers: readonly string[];
}

async function tryAll(begin: PlayedMesh, generation: number, trial: Trial): Promise<void> {
  const { issuers } = trial;
  const name = anchorName(generation);
  const alone = { certificates: [name], secrets: [name], issuers, pointed: name, roots: 1 };
  const whole = await run(begin, generation, trial);
  expect({ broken: whole.broken, ...rest(whole) }).toEqual({ broken: [], ...alone });
  for (const fault of faultsOf(whole.faulty)) {
    const one = await run(begin, generation, trial, fault);
    expect({ fault, hasMet: one.faulty.hasMet(), broken: one.broken, ...rest(one) }).toEqual({
      fault,
      hasMet: true,
      broken: [],
      ...alone,
    });
  }
}

test('a rotation that meets a fault at any write or read is ended all the same, in the right order', async () => {
  await tryAll(stable, 2, { change: (mesh) => mesh.spec({ rotateNow: 'two' }), issuers: [] });
}, 300_000);

test('so is the making of a first anchor', async () => {
  await tryAll(playedMesh(), 1, { change: () => undefined, issuers: [] });
}, 300_000);

test('so is one that is taken back while the new anchor signs', async () => {
  const signing = stable.copy();
  signing.spec({ rotateNow: 'two' });
  const operator = signing.operator();
  while (signing.status().phase !== 'Signing') signing.pass(Math.max(1_000, await operator.look()));
  await tryAll(signing, 1, { change: (mesh) => mesh.spec({ abort: true }), issuers: [anchorName(1)] });
}, 300_000);

test('so is a rotation of an anchor whose key is elsewhere, which has no bridge', async () => {
  const begin = stable.copy();
  const name = anchorName(1);
  for (const plural of ['certificates', 'secrets', 'issuers']) begin.api.remove(plural, place(name));
  begin.api.remove('clusterissuers', IDENTITY_ISSUER);
  begin.pass(60_000);
  await begin.operator().look();
  // Of what is not of here nobody knows the generation.
  await tryAll(begin, 1, { change: (mesh) => mesh.spec({ rotateNow: 'two' }), issuers: [] });
}, 300_000);

test('so is one of an anchor whose key is elsewhere, over a bridge that somebody signs', async () => {
  const begin = stable.copy();
  const name = anchorName(1);
  const root = begin.api.find('secrets', place(name))?.tls as KeyPair;
  for (const plural of ['certificates', 'secrets', 'issuers']) begin.api.remove(plural, place(name));
  begin.api.remove('clusterissuers', IDENTITY_ISSUER);
  // As after `linkerd install`: no memory of an anchor that was made here, and none left of its Certificate.
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

test('so is the extension of an anchor that a pause keeps from being rotated, with its own key and once', async () => {
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
      // Until three hours after the anchor would have ended.
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
