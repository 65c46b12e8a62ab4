import { FIRST_STATE, type ProgramState, STRANGERS, TRAFFIC } from '../program';
import { type Step, StepFailure, type StepResult, until, type Walk } from '../walk';
import { anchorGap, synthAndSync } from './install';
import { counted, enough, judged } from './traffic';

/** The field manager of Helm, which also counts as an installer. */
export const HELM = 'helm';

/** The state of the program without an operator. */
export const WITHOUT_OPERATOR: ProgramState = { ...FIRST_STATE, isOperated: false };

/** Takes over a mesh that is not from Argo CD and has no operator. */
export const TAKEOVER: Step = {
  name: 'takeover',
  summary: 'install a mesh as Helm would, without an operator, and take it over: the anchor and all meshed pods stay',
  run: (walk) =>
    adopted(walk, {
      install: () => synthAndSync(walk, WITHOUT_OPERATOR, { manager: HELM }),
      adopt: () => synthAndSync(walk, FIRST_STATE),
    }),
};

/** How a mesh gets an operator. */
interface Adoption {
  readonly install: () => Promise<unknown>;
  readonly adopt: () => Promise<unknown>;
}

/** Counts requests while an operator adopts the anchor of a mesh, which must keep its anchor and its pods. */
export async function adopted(walk: Walk, { install, adopt }: Adoption): Promise<StepResult> {
  await install();
  const before = await counted(walk);
  await enough(walk, before);
  const earlier = { roots: await trustRoots(walk), pods: await meshedPods(walk) };

  await adopt();
  await until(walk, async () => {
    await counted(walk);
    return anchorGap(walk);
  });
  if ((await trustRoots(walk)) !== earlier.roots) throw new StepFailure('the mesh has another trust anchor');
  const pods = await meshedPods(walk);
  if (pods.join() !== earlier.pods.join()) throw new StepFailure(`meshed pods restarted: ${pods.join(', ')}`);
  return judged(walk, before, `anchor kept, ${pods.length} meshed pods kept`);
}

async function trustRoots({ cluster }: Walk): Promise<string> {
  const name = { resource: 'configmaps', name: 'linkerd-identity-trust-roots', namespace: 'linkerd' };
  return JSON.stringify((await cluster.get(name))?.data);
}

async function meshedPods({ cluster }: Walk): Promise<readonly string[]> {
  const pods = await Promise.all([TRAFFIC, STRANGERS].map((namespace) => cluster.list('pods', { namespace })));
  return pods
    .flat()
    .map(({ metadata }) => metadata.name)
    .sort();
}
