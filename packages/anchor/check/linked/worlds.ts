import type { LinkedWorld } from './walk';

const THREE = ['east', 'west', 'north'] as const;

/** Common to all worlds: reports arrive in any order, cert-manager is slow, clocks differ by up to the allowed skew. */
const USUAL = {
  clusters: THREE,
  isConstrained: true,
  clocksApartMs: 20_000,
  outageSteps: 10,
  podMinutes: [4, 30, 90],
  steps: 250,
} as const;

/**
 * A hub and one or two clusters that it certifies, each of which rotates: certificates then chain over a bridge to the
 * hub, and over a second bridge to the hub's old anchor.
 */
export const LINKED: readonly LinkedWorld[] = [
  { ...USUAL, name: 'a hub and two clusters, with rollbacks and pauses', troubles: { aborts: true } },
  {
    ...USUAL,
    name: 'a hub and two clusters, without name constraints, with rollbacks and pauses',
    isConstrained: false,
    troubles: { aborts: true },
  },
  {
    ...USUAL,
    name: 'a hub and two clusters, with lost Secrets and leaked keys',
    troubles: { lost: 2, leaked: 2 },
    steps: 120,
  },
  {
    ...USUAL,
    name: 'a hub and two clusters, without name constraints, with lost Secrets and leaked keys',
    isConstrained: false,
    troubles: { lost: 2, leaked: 2 },
    steps: 120,
  },
  {
    ...USUAL,
    name: 'a hub and two clusters, with several Secrets lost before the issuer expires',
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
    name: 'a hub and one cluster, with short-lived anchors',
    clusters: THREE.slice(0, 2),
    anchors: { duration: '10h', renewBefore: '6h' },
    outageSteps: 60,
    troubles: {},
    steps: 400,
  },
];
