import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argoCdManifests } from '../argocd/argocd-install';
import type { Cluster } from '../cluster/cluster';
import { installedLibrary } from '../consumer/installed-library';
import { goTool } from '../go-tools';
import { startGuideShell } from './guide-shell';
import { CHARTS } from './mesh-players';
import { type GuideStep, missingLine } from './read-guide';

const KUBECTL = goTool('kubectl');
const HELM = goTool('helm');

/** The addresses in guides that a test replaces: the repository's host, Argo CD's manifests, and Linkerd's charts. */
const HOST = 'https://git.example.com/';
const ARGO_CD = /https:\/\/raw\.githubusercontent\.com\/argoproj\/argo-cd\/v\S+\/manifests\/install\.yaml/;
const CRDS_CHART = /helm template linkerd-crds [^>]*/;

/** Plays a reader who follows a guide exactly, with a cluster, an empty repository and an empty folder. */
export interface Reader {
  /** The path of the bare repository. */
  readonly repository: string;
  /** The folder of the guide's program, which the guide creates. */
  readonly platform: string;
  /** Does one step. @throws if a command fails, or its output differs from the guide */
  follow(step: GuideStep): Promise<void>;
  stop(): void;
}

/** Creates a reader, with the packed library. */
export async function startReader(cluster: Cluster): Promise<Reader> {
  const { tarball } = await installedLibrary();
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  const hosted = join(folder, 'hosted');
  const repository = join(hosted, 'platform.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch', 'main', repository]);
  const argoCd = join(folder, 'argocd.json');
  writeFileSync(argoCd, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: argoCdManifests('argocd') }));
  const crds = join(folder, 'crds.json');
  writeFileSync(crds, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: CHARTS['linkerd-crds'] }));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(KUBECTL, join(folder, 'bin', 'kubectl'));
  symlinkSync(HELM, join(folder, 'bin', 'helm'));
  const shell = startGuideShell(folder, {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    KUBECONFIG: cluster.kubeconfig(),
    CDK8S_LINKERD: tarball,
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    // Without this, npm would inherit the silence of an `npm run -s` that started the tests.
    npm_config_loglevel: 'notice',
    npm_config_fund: 'false',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${hosted}/.insteadOf`,
    GIT_CONFIG_VALUE_0: HOST,
    GIT_AUTHOR_NAME: 'A reader',
    GIT_AUTHOR_EMAIL: 'reader@example.com',
    GIT_COMMITTER_NAME: 'A reader',
    GIT_COMMITTER_EMAIL: 'reader@example.com',
  });
  const platform = join(folder, 'platform');
  const here = (commands: string) => commands.replace(ARGO_CD, argoCd).replace(CRDS_CHART, `cat ${crds} `);
  return {
    repository,
    platform,
    follow: async (step) => {
      const { text, line } = step.snippet;
      if (step.do === 'write') return writeFileSync(join(platform, step.file), text);
      const printed = await shell.run(here(text));
      const missing = missingLine(step.output ?? '', printed);
      if (missing !== undefined) throw new Error(`Line ${line}: the output lacks "${missing}":\n${printed}`);
    },
    stop: () => {
      shell.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
