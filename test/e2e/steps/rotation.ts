import { ROTATION_MILESTONES, type RotationMilestone } from '#anchor/plan';
import type { LiveObject } from '../kubectl';
import { STRANGERS, TRAFFIC } from '../program';
import { unhealthy } from '../sync';
import { type Step, StepFailure, until, type Walk } from '../walk';
import { synthAndSync, TRUST_ANCHOR } from './install';
import { counted, judged } from './traffic';

const REFUSED_CERTIFICATE = /invalid peer certificate|UnknownIssuer|BadSignature|BadCertificate|CertExpired/;

/** Rotates the trust anchor while requests are counted. */
export const ROTATION: Step = {
  name: 'rotation',
  summary: 'rotate the trust anchor with its shortest times, while requests are counted; no request may fail',
  async run(walk) {
    const before = await counted(walk);
    const beginning = { generation: await signingGeneration(walk), pods: await podNames(walk) };
    const startedAt = Date.now();
    await begin(walk);

    const reached = new Map<string, number>();
    const reach = (name: string) => {
      if (!reached.has(name)) reached.set(name, Date.now() - startedAt);
    };
    await until(walk, async () => {
      await counted(walk);
      return milestoneGap(await anchorOf(walk), 'LeavesTurned', reach);
    });
    const restarted = (await podNames(walk)).filter((name) => !beginning.pods.includes(name));
    if (restarted.length > 0)
      throw new StepFailure(`pods restarted before the old anchor was unused: ${restarted.join(', ')}`);
    const refused = await refusedCertificates(walk);

    // So far each pod trusts only the old anchor. It gets the new one when it restarts, as all pods do over time.
    await restartMeshed(walk);
    await until(walk, async () => {
      await counted(walk);
      const anchor = await anchorOf(walk);
      const gap = milestoneGap(anchor, 'Retired', reach);
      if (anchor?.status?.phase !== 'Stable' || (await signingGeneration(walk)) === beginning.generation)
        return gap ?? 'not Stable';
      const roots = rootsGap(anchor);
      if (roots !== undefined) return roots;
      for (const name of ROTATION_MILESTONES) reach(name);
      return undefined;
    });
    const signing = await signingGeneration(walk);
    const seconds = Object.fromEntries([...reached].map(([name, ms]) => [name, Math.round(ms / 1000)]));
    return judged(walk, before, `anchor ${beginning.generation} -> ${signing}, nothing restarted by the operator`, {
      seconds,
      refusedCertificates: refused + (await refusedCertificates(walk)),
    });
  },
};

/** Requests a rotation in the program, or in the TrustAnchor of a mesh without a program. */
async function begin(walk: Walk): Promise<unknown> {
  const { cluster, state, settings } = walk;
  const rotateNow = settings.run;
  if (state.isOperated) return synthAndSync(walk, { ...state, rotateNow });
  return cluster.patch(TRUST_ANCHOR, { spec: { rotateNow, propagationDelay: `${settings.propagationSeconds}s` } });
}

function anchorOf({ cluster }: Walk): Promise<LiveObject | undefined> {
  return cluster.get(TRUST_ANCHOR);
}

async function signingGeneration(walk: Walk): Promise<number | undefined> {
  const anchors: readonly { role: string; generation?: number }[] = (await anchorOf(walk))?.status?.anchors ?? [];
  return anchors.find(({ role }) => role === 'Signing')?.generation;
}

/** Reports each milestone that is reached; returns what the rotation waits for, or undefined at the last one. */
export function milestoneGap(
  anchor: LiveObject | undefined,
  last: RotationMilestone,
  reach: (name: string) => void,
): string | undefined {
  const conditions: readonly { type: string; status: string; message?: string }[] = anchor?.status?.conditions ?? [];
  for (const name of ROTATION_MILESTONES.slice(0, ROTATION_MILESTONES.indexOf(last) + 1)) {
    const condition = conditions.find(({ type }) => type === name);
    if (condition?.status !== 'True') return `rotation: ${name}: ${condition?.message ?? 'not begun'}`;
    reach(name);
  }
  return undefined;
}

/** Returns why the roots of the mesh are not known, or undefined. */
export function rootsGap({ status }: Pick<LiveObject, 'status'>): string | undefined {
  const conditions: readonly { type: string; status: string; message?: string }[] = status?.conditions ?? [];
  const known = conditions.find(({ type }) => type === 'RootsKnown');
  return known?.status === 'True' ? undefined : `roots: ${known?.message ?? 'not seen yet'}`;
}

async function podNames({ cluster }: Walk): Promise<readonly string[]> {
  const pods = await Promise.all(
    [TRAFFIC, STRANGERS, 'linkerd'].map((namespace) => cluster.list('pods', { namespace })),
  );
  return pods.flat().map(({ metadata }) => metadata.name);
}

/** Restarts workloads one after the other, like deployments of new versions. */
async function restartMeshed(walk: Walk): Promise<void> {
  const { cluster, note } = walk;
  // Including the control plane, whose proxies also read their roots only at their start.
  const controlPlane = await cluster.list('deployments.apps', { namespace: 'linkerd' });
  const workloads = [
    [TRAFFIC, 'server'],
    [TRAFFIC, 'client'],
    [STRANGERS, 'stranger'],
    ...controlPlane.map(({ metadata }) => ['linkerd', metadata.name] as const),
  ] as const;
  for (const [namespace, name] of workloads) {
    note(`restart ${namespace}/${name}`);
    await cluster.text(['rollout', 'restart', `deployment/${name}`, `--namespace=${namespace}`]);
    await until(walk, async () => {
      await counted(walk);
      const gap = unhealthy(await cluster.get({ resource: 'deployments.apps', name, namespace }));
      return gap && `${namespace}/${name}: ${gap}`;
    });
  }
}

async function refusedCertificates({ cluster }: Walk): Promise<number> {
  let lines = 0;
  for (const namespace of [TRAFFIC, 'linkerd']) {
    for (const { metadata } of await cluster.list('pods', { namespace })) {
      const args = ['logs', metadata.name, `--namespace=${namespace}`, '--container=linkerd-proxy', '--tail=20000'];
      const { stdout } = await cluster.run(args);
      lines += stdout.split('\n').filter((line) => REFUSED_CERTIFICATE.test(line)).length;
    }
  }
  return lines;
}
