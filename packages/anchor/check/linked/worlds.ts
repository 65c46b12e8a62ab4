import type { LinkedWorld } from './walk';

const THREE = ['east', 'west', 'north'] as const;

/** Common to all worlds: reports come in any order, cert-manager is slow, clocks differ as far as is allowed. */
const USUAL = {
  clusters: THREE,
  isConstrained: true,
  clocksApartMs: 20_000,
  outageSteps: 10,
  podMinutes: [4, 30, 90],
  steps: 250,
} as const;

/**
 * A hub and two clusters that it certifies, each of which rotates: certificates then lead to the hub over a bridge, and
 * over another one to the hub's old anchor.
 */
export const LINKED: readonly LinkedWorld[] = [
  { ...USUAL, name: 'a hub and two clusters, taken back and paused', troubles: { aborts: true } },
  {
    ...USUAL,
    name: 'a hub and two clusters, without name constraints, taken back and paused',
    isConstrained: false,
    troubles: { aborts: true },
  },
  { ...USUAL, name: 'a hub and two clusters, Secrets and keys lost', troubles: { lost: 2, leaked: 2 }, steps: 120 },
  {
    ...USUAL,
    name: 'a hub and two clusters, without name constraints, Secrets and keys lost',
    isConstrained: false,
    troubles: { lost: 2, leaked: 2 },
    steps: 120,
  },
  {
    ...USUAL,
    name: 'a hub and two clusters, Secrets lost in pairs before the issuer ends',
    issuer: '3h',
    propagationDelay: '3m',
    laggards: 'Never',
    podMinutes: [4, 90, 300],
    outageSteps: 2,
    troubles: { lost: 4 },
    steps: 200,
  },
  {
    ...USUAL,
    name: 'a hub and one cluster, whose anchors end soon',
    clusters: THREE.slice(0, 2),
    anchors: { duration: '10h', renewBefore: '6h' },
    outageSteps: 60,
    troubles: {},
    steps: 400,
  },
];
