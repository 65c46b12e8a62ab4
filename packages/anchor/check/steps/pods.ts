import { accepts, chainName, list } from '../invariant';
import { hashOf } from '../observe';
import type { Issued, Key, State, WorldIdentity } from '../state';
import type { Rules, Step } from './step';

/** trust-manager writes the bundle. */
export function bundleSteps(state: State): readonly Step[] {
  const keys = state.anchors.flatMap(({ bundled, certificate }) => (bundled && certificate ? [certificate.key] : []));
  const bundle = [...new Set([...keys, ...state.kept])].sort();
  if (hashOf(bundle) === hashOf(state.bundle)) return [];
  return [
    {
      actor: 'trust-manager',
      label: () => `trust-manager writes the bundle: ${list(bundle)}`,
      state: { ...state, bundle },
    },
  ];
}

function mounted(state: State): readonly (readonly Key[])[] {
  const all = [state, ...state.past].map(({ bundle }) => bundle).filter((bundle) => bundle.length > 0);
  return all.filter((bundle, index) => all.findIndex((other) => hashOf(other) === hashOf(bundle)) === index);
}

/**
 * Pods start and end. Pods that are no laggards make no difference to the operator: `withPods` adds all possible ones,
 * and none of them ends.
 */
export function podSteps(state: State, { scenario }: Rules): readonly Step[] {
  const { pods } = state;
  if (scenario.restarts === 'operator') return [];
  const come = mounted(state).filter((bundle) => pods.every((pod) => hashOf(pod) !== hashOf(bundle)));
  const go = pods.filter((pod) => !isUnnoticed(pod, state));
  return [
    ...come.map((bundle) => ({
      actor: 'natural' as const,
      label: () => `a pod starts with ${list(bundle)}`,
      state: { ...state, pods: withPod(pods, bundle) },
    })),
    ...(state.starts ? pods.filter((pod) => isGiven(pod, state)) : []).map((pod) => ({
      actor: 'natural' as const,
      label: () => `all pods with ${list(pod)} restart, with the same bundle`,
      state: { ...state, starts: { ...state.starts, [hashOf(pod)]: state.now } },
    })),
    ...go.map((pod) => ({
      actor: 'natural' as const,
      label: () => `the last pod with ${list(pod)} ends`,
      state: { ...state, pods: pods.filter((other) => other !== pod) },
    })),
  ];
}

function isGiven(pod: readonly Key[], state: State): boolean {
  return mounted(state).some((bundle) => hashOf(bundle) === hashOf(pod)) && state.starts?.[hashOf(pod)] !== state.now;
}

/** Adds a pod with a bundle, in order. */
export function withPod(pods: State['pods'], bundle: readonly Key[]): State['pods'] {
  return [...pods, bundle].sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
}

/**
 * Whether a pod makes no difference to the operator: it trusts the next anchor. With two clusters: it trusts the latest
 * bundle and the anchors with which the other cluster signs, or all that another pod trusts and more.
 */
function isUnnoticed(pod: readonly Key[], { memory, heard, pods, starts, vouched }: State): boolean {
  const { rotation, bundles } = memory;
  // Where starts or trust matter, every pod makes a difference.
  if (starts !== undefined || vouched !== undefined) return false;
  if (!bundles.some(({ hash }) => hash === hashOf(pod))) return false;
  if (heard === undefined) return rotation?.key !== undefined && pod.includes(rotation.key);
  if (pods.some((other) => other.length < pod.length && other.every((key) => pod.includes(key)))) return true;
  const needed = [...heard.signing, ...(bundles.at(-1)?.keys ?? []), ...(rotation?.key ? [rotation.key] : [])];
  return needed.every((key) => pod.includes(key));
}

/** Adds all possible pods that make no difference to the operator. */
export function withPods(state: State): State {
  const more = mounted(state).filter(
    (bundle) => isUnnoticed(bundle, state) && state.pods.every((pod) => hashOf(pod) !== hashOf(bundle)),
  );
  return more.length === 0 ? state : { ...state, pods: more.reduce(withPod, state.pods) };
}

/** Identity loads an issuer, restarts, or ends. */
export function identitySteps(state: State, rules: Rules): readonly Step[] {
  const { scenario } = rules;
  const files = issuerFiles(state);
  const since = state.now + scenario.clocks.nodes;
  const updates = state.identity.flatMap((replica, index) =>
    (scenario.isIdentityDeaf ? [] : files)
      .filter((one) => one.revision > replica.issuer.revision && accepts(replica.roots, one))
      .map((issuer) => ({
        actor: 'identity' as const,
        label: () => `identity takes up the issuer of ${chainName(issuer)}`,
        state: withReplica(state, index, { ...replica, issuer, loadedAt: since }),
      })),
  );
  return [...updates, ...identityStarts(state, rules, files)];
}

function issuerFiles(state: State): readonly Issued[] {
  const secrets = [state, ...state.past].flatMap(({ issuer: { secret } }) => secret ?? []);
  return secrets.filter((one, index) => secrets.findIndex(({ revision }) => revision === one.revision) === index);
}

function identityStarts(state: State, { scenario }: Rules, files: readonly Issued[]): readonly Step[] {
  const left = state.identityRestarts - 1;
  const [replica] = state.identity;
  if (replica !== undefined && (left < 0 || scenario.restarts === 'operator')) return [];
  const since = state.now + scenario.clocks.nodes;
  const starts = mounted(state).flatMap((roots) => files.map((issuer) => ({ roots, issuer, since })));
  const come = starts.map((start) => ({
    actor: replica === undefined ? ('identity' as const) : ('natural' as const),
    label: () => `identity starts, knows ${list(start.roots)} and works with the issuer of ${chainName(start.issuer)}`,
    state: {
      ...state,
      identity: [start, ...state.identity.slice(1)],
      identityRestarts: replica === undefined ? left + 1 : left,
    },
  }));
  if (replica === undefined) return come;
  const go = {
    actor: 'natural',
    label: () => 'identity ends',
    state: { ...state, identity: [], identityRestarts: left },
  } as const;
  return [...come, go];
}

function withReplica(state: State, index: number, replica: WorldIdentity): State {
  return { ...state, identity: state.identity.map((one, at) => (at === index ? replica : one)) };
}
