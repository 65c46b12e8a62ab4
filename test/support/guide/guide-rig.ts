import { type FakeArgoCd, startFakeArgoCd } from '../argocd/argo-cd';
import { emptyCluster, type OwnCluster } from '../cluster/cluster';
import { type MeshPlayers, startMeshPlayers } from './mesh-players';
import { type Reader, startReader } from './reader';

/** The rig of a test that follows a guide: an empty cluster, a reader, and fakes of the mesh's controllers. */
export interface GuideRig {
  readonly cluster: OwnCluster;
  readonly players: MeshPlayers;
  readonly reader: Reader;
  /** Starts a fake Argo CD, which syncs the reader's repository. */
  startArgoCd(): void;
}

/** The rig of all tests of a file. Hooks start and stop it. */
export function guideRigOfFile(): GuideRig {
  const parts: { -readonly [Part in keyof GuideRig]?: GuideRig[Part] } = {};
  let argoCd: FakeArgoCd | undefined;
  beforeAll(async () => {
    const cluster = await emptyCluster();
    parts.cluster = cluster;
    const reader = await startReader(cluster);
    parts.reader = reader;
    const players = await startMeshPlayers(cluster);
    parts.players = players;
    parts.startArgoCd = () => {
      argoCd = startFakeArgoCd(cluster, { ...reader, ...players });
    };
  });
  afterAll(async () => {
    parts.reader?.stop();
    await argoCd?.stop();
    await parts.players?.stop();
    await parts.cluster?.stop();
  });
  return parts as GuideRig;
}
