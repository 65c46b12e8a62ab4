import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputInFolder } from '#bin/folder-output';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { type Cluster, type ClusterProps, Platform } from '#lib';
import { FileReader } from '#lib/gitops/changes/file-contents';
import { clusterFiles } from '#lib/review/compare/output';

/** The objects that a synthesis writes for one cluster. */
export function synthesizedObjects(
  build: (cluster: Cluster) => void,
  props: ClusterProps = {},
): readonly KubernetesObject[] {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  try {
    const outdir = join(folder, 'dist');
    const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir });
    platform.addCluster('home', props, build);
    platform.synth();
    return objectsOf(outdir, 'home');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The objects of a cluster's output. */
export function objectsOf(dist: string, cluster: string): readonly KubernetesObject[] {
  const texts = outputInFolder(dist).get(cluster);
  if (texts === undefined) throw new Error(`${dist} has no cluster ${cluster}`);
  const reader = new FileReader();
  return [...clusterFiles(texts).files].flatMap(([path, text]) => {
    const contents = reader.read(path, text);
    return contents.is === 'object' ? [contents.object] : [];
  });
}
