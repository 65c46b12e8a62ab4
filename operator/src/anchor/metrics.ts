import { Gauge, type Registry } from 'prom-client';
import type { Pairs } from '#anchor/pairs';
import { type AnchorPlan, type Exposure, PHASES } from '#anchor/plan';
import type { TrustAnchorEntry } from '#anchor/trust-anchor';

/** The measured parts of an observation. */
export interface AnchorMeasures {
  readonly plan: AnchorPlan;
  readonly anchors: readonly TrustAnchorEntry[];
  /** Absent if no proxy was probed. */
  readonly probed?: { readonly pairs: Pairs; readonly presented: number; readonly unreached: number };
  /** True if the condition Degraded is True. */
  readonly isStuck: boolean;
}

/** The metrics of the trust anchor; followers have none. */
export interface AnchorMetrics {
  set(measures: AnchorMeasures): void;
  /** Reports a failed observation. Other metrics keep their last values. */
  setStuck(): void;
  /** Removes all values, because no TrustAnchor exists. */
  clear(): void;
}

function gaugesIn(registry: Registry) {
  return <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> =>
    new Gauge({ name: `linkerd_trust_anchor_${name}`, help, labelNames, registers: [registry] });
}

function probeMetrics(registry: Registry) {
  const gauge = gaugesIn(registry);
  const pairs = gauge(
    'pairs',
    "Pairs of a probed proxy and a bundle of pods, by whether the bundle verifies the proxy's certificate: verified or refused.",
    ['result'],
  );
  const probed = gauge(
    'probed_proxies',
    'Probed proxies, by whether they presented a certificate: presented or unreachable.',
    ['result'],
  );
  return {
    clear: () => {
      for (const one of [pairs, probed]) one.reset();
    },
    set: (round: NonNullable<AnchorMeasures['probed']>) => {
      pairs.set({ result: 'verified' }, round.pairs.verified);
      pairs.set({ result: 'refused' }, round.pairs.refused);
      probed.set({ result: 'presented' }, round.presented);
      probed.set({ result: 'unreachable' }, round.unreached);
    },
  };
}

function exposureMetrics(registry: Registry) {
  const gauge = gaugesIn(registry);
  const pods = gauge('compromised_pods', 'Pods that trust, or may trust, a leaked anchor key; absent without a leak.');
  const bundle = gauge(
    'compromised_in_bundle',
    'Whether new pods trust a leaked anchor key: 1 or 0; absent without a leak.',
  );
  const deadline = gauge(
    'compromised_deadline_timestamp_seconds',
    'Time by which no pod trusts a leaked anchor key, in the worst case; absent without a leak.',
  );
  return {
    clear: () => {
      for (const one of [pods, bundle, deadline]) one.remove();
    },
    set: (exposure: Exposure) => {
      pods.set(exposure.pods);
      bundle.set(Number(exposure.inBundle));
      deadline.set(exposure.until / 1_000);
    },
  };
}

/** Registers the metrics. */
export function anchorMetrics(registry: Registry): AnchorMetrics {
  const gauge = gaugesIn(registry);
  const probes = probeMetrics(registry);
  const exposures = exposureMetrics(registry);
  const expiration = gauge(
    'expiration_timestamp_seconds',
    'Expiry of each anchor of the mesh, by generation, role and key.',
    ['generation', 'role', 'key'],
  );
  const phase = gauge('phase', 'The phase of the rotation: 1 for the current one, 0 for all others.', ['phase']);
  const laggards = gauge(
    'laggard_pods',
    'Pods that may not trust the next anchor or, while no rotation is in progress, the current one.',
  );
  const slack = gauge(
    'slack_seconds',
    'Time that remains after the end of the worst-case plan; negative if the plan ends too late.',
  );
  const next = gauge('next_rotation_timestamp_seconds', 'When the next rotation starts automatically.');
  const extended = gauge(
    'extended',
    'Whether the anchor was renewed with the same key, beyond its planned lifetime: 1 or 0.',
  );
  const outage = gauge('identity_outage', 'Whether identity issues no certificates: 1 or 0.');
  const signature = gauge(
    'signature_awaited',
    'Whether the rotation waits for a signature by the key of the old anchor, which is elsewhere: 1 or 0.',
  );
  const signatureDeadline = gauge(
    'signature_deadline_timestamp_seconds',
    'Time after which a signature by the old key is too late, and only restarts finish in time.',
  );
  const stuck = gauge('stuck', 'Whether the condition Degraded of the TrustAnchor is True: 1 or 0.');
  const clear = (): void => {
    for (const one of [expiration, phase]) one.reset();
    probes.clear();
    exposures.clear();
    for (const one of [laggards, slack, next, extended, outage, signature, signatureDeadline, stuck]) one.remove();
  };
  clear();
  return {
    clear,
    setStuck: () => stuck.set(1),
    set: ({ plan, anchors, probed, isStuck }) => {
      clear();
      for (const { generation, role, key, notAfter } of anchors) {
        const labels = { generation: `${generation ?? ''}`, role, key: key.slice(0, 8) };
        expiration.set(labels, Date.parse(notAfter) / 1_000);
      }
      for (const one of PHASES) phase.set({ phase: one }, Number(one === plan.phase));
      laggards.set(plan.laggards.pods);
      if (plan.slack !== undefined) slack.set(plan.slack / 1_000);
      if (plan.nextRotation !== undefined) next.set(plan.nextRotation / 1_000);
      extended.set(Number(plan.milestones.some(({ type, status }) => type === 'Extended' && status)));
      outage.set(Number(plan.outage !== undefined));
      const { awaitedSignature } = plan;
      signature.set(Number(awaitedSignature !== undefined));
      if (awaitedSignature?.until !== undefined) signatureDeadline.set(awaitedSignature.until / 1_000);
      if (plan.exposure !== undefined) exposures.set(plan.exposure);
      if (probed !== undefined) probes.set(probed);
      stuck.set(Number(isStuck));
    },
  };
}
