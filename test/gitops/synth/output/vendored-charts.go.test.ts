import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HelmRelease } from '#lib/gitops/charts/helm-release';
import { Platform } from '#lib/gitops/platform/platform';
import { ensureNamespace } from '#lib/gitops/tree/namespace';
import { goTool } from '#test/support/go-tools';
import { temporaryDirectory, writeFiles } from './tree-on-disk';

const HELM = goTool('helm');

const directory = temporaryDirectory();
const dist = () => join(directory.path, 'dist');
const folder = () => join(dist(), 'home', 'backup');

function platform(): Platform {
  const made = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: dist() });
  made.addCluster('home', {}, (cluster) => {
    ensureNamespace(cluster, 'backup');
    new HelmRelease(cluster, 'tool', {
      chart: {
        name: 'tool',
        version: '11.0.0',
        // No server has this name.
        repository: 'https://charts.invalid',
        kinds: ['/ConfigMap'],
        foreignNamespaces: [],
      },
      namespace: 'backup',
      values: { greeting: 'hello' },
    });
  });
  return made;
}

/** Writes the archive of a chart as `helm pull` does. */
function vendor(version: string): void {
  const source = mkdtempSync(join(tmpdir(), 'chart-'));
  writeFiles(source, {
    'tool/Chart.yaml': `apiVersion: v2\nname: tool\nversion: ${version}\n`,
    'tool/templates/a.yaml':
      'kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata: {a: "{{ .Values.greeting }}"}\n',
  });
  mkdirSync(join(folder(), 'charts'), { recursive: true });
  execFileSync('tar', ['-czf', join(folder(), 'charts', `tool-${version}.tgz`), '-C', source, 'tool']);
}

const helm = () => spawnSync(HELM, ['template', '.'], { cwd: folder(), encoding: 'utf8' });

describe('a chart in the folder charts/ of an umbrella chart', () => {
  it('is rendered by Helm without a repository, and causes no warning or difference', () => {
    platform().synth();
    // Argo CD runs `helm dependency build` after this error.
    expect(helm().stderr).toContain('missing in charts/ directory: tool');
    vendor('11.0.0');
    const { status, stdout } = helm();
    expect([status, stdout]).toEqual([0, expect.stringContaining('hello')]);
    expect(platform().synth()).toMatchObject({ warnings: [] });
    expect(platform().synth({ check: true }).differences).toEqual([]);
  });

  it('is reported if its version differs from the requested one', () => {
    platform().synth();
    vendor('10.0.0');
    const { warnings, differences } = platform().synth({ check: true });
    expect(warnings.map(({ problem }) => problem.code)).toEqual(['foreign-file']);
    expect(differences.map(({ path }) => path)).toEqual(['home/backup/charts/tool-10.0.0.tgz']);
  });
});
