import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clustersInFolder, outputInFolder } from '#bin/folder-output';
import { LinkerdMesh, Platform } from '#lib';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { type ChangedOutputs, changedOutputs, diffText } from '../diff/examples';
import { fenced, withBlocks } from './blocks';
import { frontFigure } from './front-figure';
import { mistakeTexts } from './mistakes';

/** The generated files of the front page, by path in the repository. */
export function frontPageFiles(root: string): ReadonlyMap<string, string> {
  const outputs = changedOutputs('window');
  const blocks = {
    output: fenced(treeText()),
    change: `\`\`\`diff\n${changedLines(outputs)}\n\`\`\``,
    consequence: fenced(consequenceText(outputs)),
    messages: fenced(messagesText()),
  };
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  return new Map([
    ['README.md', withBlocks(readme, blocks)],
    ['docs/reference/overview-light.svg', frontFigure('light')],
    ['docs/reference/overview-dark.svg', frontFigure('dark')],
  ]);
}

const FOLDERS: Readonly<Record<string, string>> = {
  argocd: 'AppProject and ApplicationSet: apply once',
  'cert-manager': 'cert-manager, trust-manager, the trust anchor and its issuers',
  'kube-system': 'the RoleBinding of tap',
  linkerd: 'the control plane, and its certificates',
  'linkerd-crds': "the chart of Linkerd's CRDs",
  'linkerd-reconciler': 'the operator',
  'linkerd-viz': 'Viz, with its own Prometheus',
};

const WIDTH = 28;

/** The output of the front page's program: its folders, with the number of files in each. */
function treeText(): string {
  const folder = mkdtempSync(join(tmpdir(), 'front-page-'));
  try {
    const outdir = join(folder, 'dist');
    const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir });
    platform.addCluster('home', {}, (home) => {
      new LinkerdMesh(home, 'mesh', { crds: { gatewayApi: 'install' }, operator: {} });
    });
    platform.synth();
    const output = outputInFolder(outdir);
    const lines = clustersInFolder(outdir)
      .toSorted()
      .flatMap((cluster) => {
        const files = [...(output.get(cluster)?.keys() ?? [])].filter((path) => path !== INDEX_FILE);
        const folders = [...Map.groupBy(files, (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : ''))];
        return folders.map(([name, paths]) =>
          folderLine(`${cluster}/${name && `${name}/`}`, name || cluster, paths.length),
        );
      });
    return ['dist/', ...lines].join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function folderLine(path: string, name: string, files: number): string {
  const what = FOLDERS[name];
  if (what === undefined) throw new Error(`the front page has no description of ${name}`);
  return `  ${path.padEnd(WIDTH)}  ${`${files}`.padStart(2)} ${files === 1 ? 'file ' : 'files'}  ${what}`;
}

/** The changed lines of files, as a pull request shows them. */
function changedLines({ before, after }: ChangedOutputs): string {
  return [...after]
    .flatMap(([cluster, files]) =>
      [...files].flatMap(([path, text]) => {
        const old = before.get(cluster)?.get(path);
        return old === undefined || old === text ? [] : [`--- dist/${cluster}/${path}`, ...changed(old, text)];
      }),
    )
    .join('\n');
}

const CONTEXT = 2;

function changed(old: string, text: string): readonly string[] {
  const [before, after] = [old.split('\n'), text.split('\n')];
  const first = after.findIndex((line, index) => line !== before[index]);
  const last = after.length - [...after].reverse().findIndex((line, index) => line !== before.at(-1 - index));
  const rest = after.length - last;
  return [
    ...after.slice(first - CONTEXT, first).map((line) => ` ${line}`),
    ...before.slice(first, before.length - rest).map((line) => `-${line}`),
    ...after.slice(first, last).map((line) => `+${line}`),
    ...after.slice(last, last + CONTEXT).map((line) => ` ${line}`),
  ];
}

/** The part of the difference about the cluster. */
function consequenceText(outputs: ChangedOutputs): string {
  const text = diffText(outputs);
  return text.slice(text.indexOf('\nhome\n') + 1);
}

/** The mistakes on the front page, with the code of the finding for each. */
const MESSAGES = {
  windows: 'certificate-outlives-issuer',
  'private-key': 'private-key-found',
  'wrong-namespace': 'webhook-certificate-refused',
  'endless-job': 'job-never-ends',
  'misspelt-value': 'chart-value-refused',
} as const;

/** The first sentence of each message, after its code. */
function messagesText(): string {
  const texts = mistakeTexts(Object.keys(MESSAGES));
  return Object.entries(MESSAGES)
    .map(([name, code]) => {
      const [, sentence] = new RegExp(`^ +- (.*?)\\. [^\\n]*\\[${code}\\]$`, 'm').exec(texts[name] ?? '') ?? [];
      if (sentence === undefined) throw new Error(`the mistake "${name}" has no message with ${code}`);
      return `${code}: ${sentence}`;
    })
    .join('\n');
}
