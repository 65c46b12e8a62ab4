import { type LoopbackNetwork, takeLoopbackNetwork } from '../support/anchor/loopback-network';
import { verifyMesh } from '../support/anchor/verify-mesh';
import { type FakeArgoCd, startFakeArgoCd } from '../support/argocd/argo-cd';
import { type OwnCluster, startCluster } from '../support/cluster/cluster';
import { ref } from '../support/cluster/objects';
import { type MeshPlayers, startMeshPlayers } from '../support/guide/mesh-players';
import { stepsOf } from '../support/guide/read-guide';
import { type Reader, startReader } from '../support/guide/reader';

/** Most of it is waiting, which takes longer on a busy machine. */
const LONG_MS = 600_000;

let network: LoopbackNetwork;
let cluster: OwnCluster;
let players: MeshPlayers;
let reader: Reader;
let argoCd: FakeArgoCd;

beforeAll(async () => {
  network = await takeLoopbackNetwork();
  cluster = await startCluster({ podCidr: network.podCidr });
  reader = await startReader(cluster);
  players = await startMeshPlayers(cluster);
  argoCd = startFakeArgoCd(cluster, { ...reader, ...players });
});

afterAll(async () => {
  reader?.stop();
  await argoCd?.stop();
  await players?.stop();
  await cluster?.stop();
  await network?.release();
});

test(
  'followed word by word, it ends in a mesh that works',
  async () => {
    const steps = stepsOf('docs/start-here.md');
    expect(steps.filter((step) => step.do === 'write').length).toBeGreaterThan(1);
    // They begin with the manifests that ask for them, whatever step that is.
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
