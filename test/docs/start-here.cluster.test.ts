import { verifyMesh } from '../support/anchor/verify-mesh';
import { ref } from '../support/cluster/objects';
import { guideRigOfFile } from '../support/guide/guide-rig';
import { stepsOf } from '../support/guide/read-guide';

/** The test mostly waits, and takes longer on a busy machine. */
const LONG_MS = 600_000;

const rig = guideRigOfFile();
beforeAll(() => rig.startArgoCd());

test(
  'a reader who follows docs/start-here.md literally gets a working mesh',
  async () => {
    const { cluster, players, reader } = rig;
    const steps = stepsOf('docs/start-here.md');
    expect(steps.filter((step) => step.do === 'write').length).toBeGreaterThan(1);
    // The played injector and operator wait for their manifests, which a later step applies.
    const others = Promise.all([players.injector(), players.operator()]);
    others.catch(() => undefined);
    for (const step of steps) await reader.follow(step);
    await others;

    expect(verifyMesh(players)).toMatchObject({ failures: [], starting: [] });
    const pods = await cluster.list('v1', 'Pod', { namespace: 'hello' });
    expect(pods.map(({ spec }) => spec.initContainers?.map(({ name }: { name: string }) => name))).toEqual([
      ['linkerd-proxy'],
      ['linkerd-proxy'],
    ]);
    const config = await cluster.get(ref('config.linkerd.io/v1alpha1', 'LinkerdConfig', 'linkerd'));
    const web = await cluster.get(ref('apps/v1', 'Deployment', 'web', 'hello'));
    expect(web.spec.template.metadata.annotations['cdk8s-linkerd/config']).toContain(config.status.configHash);
    expect(players.logged('error')).toEqual([]);
  },
  LONG_MS,
);
