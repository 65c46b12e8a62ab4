import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allFilesInFolder, clustersInFolder } from '#bin/folder-output';
import { LinkerdMesh, type LinkerdMeshProps } from '#lib/constructs/mesh';
import { Platform } from '#lib/gitops/platform/platform';
import { outputDiff } from '#lib/review/diff/diff';
import { DEFAULT_LIMIT } from '#lib/review/diff/formats/formats';
import { renderDiff } from '#lib/review/diff/formats/render';

type Props = LinkerdMeshProps<'edge-26.8.3'>;

const RELEASE = { version: 'edge-26.8.3', crds: { gatewayApi: 'existing' }, viz: false } as const;

const CHANGES: Readonly<Record<string, readonly [before: Props, after: Props]>> = {
  value: [RELEASE, { ...RELEASE, values: { proxy: { logLevel: 'info' } } }],
};

/** The differences that docs/diff.md shows, by name, as the command prints them. */
export function exampleDiffs(): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-linkerd-'));
  try {
    return Object.fromEntries(
      Object.entries(CHANGES).map(([name, [before, after]]) => {
        const [old, next] = [join(folder, name, 'before'), join(folder, name, 'after')];
        synthesize(old, before);
        synthesize(next, after);
        const read = (output: string) => allFilesInFolder(output, clustersInFolder(output));
        const diff = outputDiff({ before: read(old), after: read(next), from: 'HEAD', to: 'dist' });
        return [name, renderDiff(diff, 'text', DEFAULT_LIMIT)];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function synthesize(outdir: string, props: Props): void {
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir });
  platform.addCluster('home', {}, (cluster) => {
    new LinkerdMesh(cluster, 'mesh', props as LinkerdMeshProps<'edge-26.8.3'>);
  });
  platform.synth();
}

/** A page with other examples: each is in a block below a comment with its name. */
export function withExamples(page: string, examples: Readonly<Record<string, string>>): string {
  return page.replace(
    /(<!-- example: (\w+) -->\n```text\n)[\s\S]*?(```)/g,
    (_, start: string, name: string, end: string) => {
      const example = examples[name];
      if (example === undefined) throw new Error(`there is no example "${name}"`);
      return `${start}${example}${end}`;
    },
  );
}
