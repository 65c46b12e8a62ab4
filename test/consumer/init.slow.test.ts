import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readFiles } from '../gitops/synth/output/tree-on-disk';
import { type Project, projectWithLibrary } from '../support/consumer/project';

const URL = 'https://git.example.com/platform.git';

/** The program in a project with the packed library. */
const PROGRAM = '../node_modules/.bin/cdk8s-linkerd';

const LONG_MS = 300_000;

describe('in an empty folder,', () => {
  let project: Project;
  let printed: string;

  beforeAll(async () => {
    project = await projectWithLibrary();
    project.write('.npmrc', 'prefer-offline=true\naudit=false\nfund=false\n');
    printed = project.run(PROGRAM, 'init', '--yes', '--repo-url', URL);
  }, LONG_MS);

  test('`cdk8s-linkerd init` installs and synthesizes without a finding', () => {
    expect(printed).toContain('wrote main.ts\n');
    expect(printed).toMatch(/^wrote cdk8s-linkerd-.*\.tgz$/m);
    expect(printed).toMatch(/\n1 cluster, \d+ files: \d+ written, 0 deleted, 0 unchanged \(1 warning acknowledged\)\n/);
    expect(printed).not.toMatch(/^warning|\[[a-z-]+\]/m);
    const output = readFiles(join(project.folder, 'dist'));
    expect(output['home/linkerd-reconciler/deployment.linkerd-reconciler.yaml']).toContain('linkerd-reconciler');
    expect(output['argocd/appproject.linkerd-mesh.yaml']).toContain(URL);
  });

  test('the pipeline of `cdk8s-linkerd init` passes with the newest TypeScript, and shows a change', () => {
    expect(project.run('node_modules/.bin/tsc', '--version')).toContain('Version 7.');
    const git = (...args: string[]) =>
      project.run('git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args);
    git('init', '--quiet');
    git('add', '.');
    expect(git('ls-files')).not.toContain('node_modules');
    const deployment = 'dist/home/linkerd/deployment.linkerd-destination.yaml';
    const written = readFileSync(join(project.folder, deployment), 'utf8');
    project.write(deployment, written.replace('replicas: 3', 'replicas: 1'));
    git('commit', '--quiet', '--all', '--message', 'One replica');
    project.write(deployment, written);
    git('commit', '--quiet', '--all', '--message', 'Three replicas');
    // The directive fails the compilation unless the next line has an error.
    project.write(
      'misspelt.ts',
      `import type { LinkerdMeshProps } from 'cdk8s-linkerd';
       // @ts-expect-error: it is called highAvailability
       export const props: LinkerdMeshProps = { highAvailabilty: true };`,
    );

    const workflow = readFileSync(join(project.folder, '.github/workflows/linkerd.yml'), 'utf8');
    const steps: readonly { readonly run?: string }[] = parse(workflow).jobs.check.steps;
    const [install, ...commands] = steps.flatMap(({ run }) => run ?? []);
    expect(install).toBe('npm ci');
    expect(commands).toHaveLength(3);
    for (const command of commands) project.run('env', 'GITHUB_STEP_SUMMARY=summary.md', 'bash', '-ec', command);
    expect(readFileSync(join(project.folder, 'summary.md'), 'utf8')).toMatch(/linkerd-destination.*`1` → `3`/s);
  });
});
