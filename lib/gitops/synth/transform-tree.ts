import { errorsAt, type Finding } from '#base/findings/finding';
import { sharedObject } from '../tree/plain-json';
import type { ConstructTree } from '../tree/read-tree';
import { type Transform, transformed } from '../tree/transform';
import { folderOf } from './output/layout';

/** Returns a tree whose objects the transforms have changed, in order. Objects that none changes stay the same. */
export function transformTree(tree: ConstructTree, cluster: string, transforms: readonly Transform[]): ConstructTree {
  if (transforms.length === 0) return tree;
  const found: Finding[] = [];
  const objects = tree.objects.map((placed) => {
    const { path, object } = placed;
    const place = { cluster, folder: folderOf(placed) };
    const { object: after, problems } = transformed(object, place, transforms);
    found.push(...errorsAt(path, problems));
    if (after === object) return placed;
    const { checkedAs: _, ...others } = placed;
    return { ...others, object: sharedObject(after) };
  });
  return { ...tree, objects, findings: [...tree.findings, ...found] };
}
