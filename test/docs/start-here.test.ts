import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoopbackNetwork, takeLoopbackNetwork } from '../support/anchor/loopback-network';
import { verifyMesh } from '../support/anchor/verify-mesh';
import { type FakeArgoCd, startFakeArgoCd } from '../support/argocd/argo-cd';
import { argoCdManifests } from '../support/argocd/argocd-install';
import { type OwnCluster, startCluster } from '../support/cluster/cluster';
import { ref } from '../support/cluster/objects';
import { installedLibrary } from '../support/consumer/installed-library';
import { goTool } from '../support/go-tools';
import { type GuideShell, startGuideShell } from '../support/guide/guide-shell';
import { type MeshPlayers, startMeshPlayers } from '../support/guide/mesh-players';
import { missingLine, stepsOf } from '../support/guide/read-guide';

/** The host of the guide's repository, and Argo CD's manifests: what a test cannot reach, or must not. */
const HOST = 'https://git.example.com/';
const ARGO_CD = /https:\/\/raw\.githubusercontent\.com\/argoproj\/argo-cd\/v\S+\/manifests\/install\.yaml/;

/** The guide is followed in this folder, by somebody with a cluster, a repository and nothing else. */
let folder: string;
let network: LoopbackNetwork;
let cluster: OwnCluster;
let players: MeshPlayers;
let argoCd: FakeArgoCd;
let shell: GuideShell;
let library: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'start-here-'));
  library = (await installedLibrary()).tarball;
  network = await takeLoopbackNetwork();
  cluster = await startCluster({ podCidr: network.podCidr });
  players = await startMeshPlayers(cluster);

  const hosted = join(folder, 'hosted');
  const repository = join(hosted, 'platform.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch', 'main', repository]);
  argoCd = startFakeArgoCd(cluster, { repository, charts: players.charts, adapted: players.adapted });
  writeFileSync(
    join(folder, 'argocd.json'),
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: argoCdManifests('argocd') }),
  );

  mkdirSync(join(folder, 'bin'));
  symlinkSync(goTool('kubectl'), join(folder, 'bin', 'kubectl'));
  shell = startGuideShell(folder, {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    KUBECONFIG: cluster.kubeconfig(),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${hosted}/.insteadOf`,
    GIT_CONFIG_VALUE_0: HOST,
    GIT_AUTHOR_NAME: 'A newcomer',
    GIT_AUTHOR_EMAIL: 'newcomer@example.com',
    GIT_COMMITTER_NAME: 'A newcomer',
    GIT_COMMITTER_EMAIL: 'newcomer@example.com',
  });
});

afterAll(async () => {
  shell?.stop();
  await argoCd?.stop();
  await players?.stop();
  await cluster?.stop();
  await network?.release();
  rmSync(folder, { recursive: true, force: true });
});

/** The commands as they are, but for what comes from elsewhere. */
function here(commands: string): string {
  return commands
    .replace('npm install cdk8s-linkerd ', `npm install ${library} `)
    .replace(ARGO_CD, join(folder, 'argocd.json'));
}

const steps = stepsOf('docs/start-here.md');

test('the guide has what is to be followed', () => {
  expect(steps.filter((step) => step.do === 'write').length).toBeGreaterThan(1);
  const commands = steps.flatMap((step) => (step.do === 'run' ? [step.snippet.text] : [])).join('\n');
  expect(commands).toMatch(ARGO_CD);
  expect(commands).toContain(HOST);
  expect(commands).not.toEqual(here(commands));
});

test('followed word by word, it ends in a mesh that works', async () => {
  // They begin with the manifests that ask for them, whatever step that is.
  const others = Promise.all([players.injector(), players.operator()]);
  others.catch(() => undefined);
  for (const step of steps) {
    const { text, line } = step.snippet;
    if (step.do === 'write') {
      writeFileSync(join(folder, 'platform', step.file), text);
      continue;
    }
    const printed = await shell.run(here(text));
    if (step.output !== undefined)
      expect([line, missingLine(step.output, printed), printed]).toEqual([line, undefined, printed]);
  }
  await others;

  const report = verifyMesh(players);
  expect(report).toMatchObject({ failures: [], starting: [] });
  const pods = await cluster.list('v1', 'Pod', { namespace: 'hello' });
  expect(pods.map(({ spec }) => spec.initContainers?.map(({ name }: { name: string }) => name))).toEqual([
    ['linkerd-proxy'],
    ['linkerd-proxy'],
  ]);
  const config = await cluster.get(ref('config.linkerd.io/v1alpha1', 'LinkerdConfig', 'linkerd'));
  const web = await cluster.get(ref('apps/v1', 'Deployment', 'web', 'hello'));
  expect(web.spec.template.metadata.annotations['cdk8s-linkerd/config']).toContain(config.status.configHash);
  expect(players.logged('error')).toEqual([]);
});
