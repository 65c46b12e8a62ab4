import { createPublicKey } from 'node:crypto';
import { anchorName, anchorNames, IDENTITY_ISSUER } from '#anchor/trust-anchor';
import { type Fault, type FaultyClient, faultyClient } from '../../support/anchor/played/faults';
import type { AnyObject, Write } from '../../support/anchor/played/memory-api';
import { blocks } from '../../support/anchor/played/played-cert-manager';
import {
  brokenPods,
  bundleOf,
  keptRoots,
  type PlayedMesh,
  type PlayedOperator,
  playedMesh,
  rotateTo,
} from '../../support/anchor/played/played-mesh';
import { sampled } from '../../support/depth';

export async function stableMesh(): Promise<PlayedMesh> {
  const stable = playedMesh();
  await rotateTo(stable, 1);
  for (let minutes = 0; minutes < 10; minutes += 1) stable.pass(60_000);
  return stable;
}

export const place = (name: string): string => `cert-manager/${name}`;

/** The private keys of anchors in the cluster, by the names of their Secrets. */
export function secretKeys({ api }: PlayedMesh): ReadonlyMap<string, string> {
  return new Map(
    anchorNames().flatMap((name) => {
      const secret = api.find('secrets', place(name));
      return secret === undefined ? [] : [[name, publicKeyOf(secret.tls.key)] as const];
    }),
  );
}

const publicKeys = new Map<string, string>();

/** The public key of a certificate or a private key in PEM. Cached, since each write checks the same few. */
function publicKeyOf(pem: string): string {
  const known = publicKeys.get(pem);
  if (known !== undefined) return known;
  const key = createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64');
  publicKeys.set(pem, key);
  return key;
}

const rootKeys = (pems: readonly string[]): readonly string[] => pems.map(publicKeyOf);

type Rules = readonly (readonly [isKept: boolean, rule: string])[];

/** The rules of ADR 12 that a write breaks, in the state of the cluster at that moment. */
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

/** Completes or aborts a rotation with an operator that meets a fault, and with its successors. */
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
  // After an error a process continues; after a crash a new one starts.
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

/** Each fault that could have occurred in a run without a fault. */
export function faultsOf(faulty: FaultyClient): readonly Fault[] {
  const at = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
  return [
    ...at(faulty.writes()).flatMap((n) => KINDS.map((kind) => ({ kind, at: n }))),
    ...at(faulty.reads()).map((n) => ({ kind: 'unread', at: n }) as const),
  ];
}

/** The objects of anchors that are left after a run. */
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
  /** Acts as a user after each reconciliation. */
  readonly person?: (mesh: PlayedMesh) => void;
  /** The names of Issuers that are left. */
  readonly issuers: readonly string[];
}

/** Runs each possible fault separately. Each run must end like the run without a fault. */
export async function tryAll(begin: PlayedMesh, generation: number, trial: Trial): Promise<void> {
  const { issuers } = trial;
  const name = anchorName(generation);
  const alone = { certificates: [name], secrets: [name], issuers, pointed: name, roots: 1 };
  const whole = await run(begin, generation, trial);
  expect({ broken: whole.broken, ...rest(whole) }).toEqual({ broken: [], ...alone });
  for (const fault of sampled(faultsOf(whole.faulty))) {
    const one = await run(begin, generation, trial, fault);
    expect({ fault, hasMet: one.faulty.hasMet(), broken: one.broken, ...rest(one) }).toEqual({
      fault,
      hasMet: true,
      broken: [],
      ...alone,
    });
  }
}
