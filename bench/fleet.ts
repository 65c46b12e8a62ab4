/**
 * A user's program that synthesizes equal clusters: `TREE platform|cdk8s CLUSTERS OUTDIR [OPTION]...`, with the options
 * of Platform. bench/synth.ts measures it.
 */
import { App, YamlOutputType } from 'cdk8s';
import { Platform } from '#lib';
import { Cluster } from '#lib/gitops/tree/cluster';
import { TREES, type Tree } from './trees';

function synthPlatform({ props, build }: Tree, names: readonly string[], outdir: string, args: readonly string[]) {
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir });
  for (const name of names) platform.addCluster(name, { ...props, destination: { name } }, build);
  platform.run(args);
}

function synthApp({ props, build }: Tree, names: readonly string[], outdir: string): void {
  const app = new App({ outdir, yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE });
  for (const name of names) build(new Cluster(app, name, props));
  app.synth();
}

const [treeName = '', subject, clusters, outdir = '', ...args] = process.argv.slice(2);
const tree = TREES[treeName];
if (tree === undefined) throw new Error(`Unknown tree "${treeName}": use ${Object.keys(TREES).join(' or ')}.`);
const names = Array.from({ length: Number(clusters) }, (_, index) => `cluster-${index}`);
if (subject === 'cdk8s') synthApp(tree, names, outdir);
else synthPlatform(tree, names, outdir, args);
