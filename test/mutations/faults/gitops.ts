import type { Fault } from '../fault';

export const gitops: readonly Fault[] = [
  {
    file: 'lib/gitops/changes/mesh-trust.ts',
    from: "next?.by === 'operator' && before.roots.size > 0 &&",
    to: "next?.by === 'operator' &&",
    why: 'the operator takes over an anchor whose earlier roots are unknown',
  },
  {
    file: 'lib/gitops/changes/mesh-trust.ts',
    from: '.filter((field) => !keepsKey || KEPT_WITH_KEY.includes(field))',
    to: '.filter((field) => !keepsKey || !KEPT_WITH_KEY.includes(field))',
    why: 'fields that keep the key are confused with fields that change it',
  },
  {
    file: 'lib/gitops/changes/reissuing-fields.ts',
    from: "name === 'Ed25519' ? 0 : size || (name === 'ECDSA' ? 256 : 2048)",
    to: "name === 'Ed25519' ? 0 : size || 2048",
    why: 'the default size of ECDSA keys is the default for RSA',
  },
  {
    file: 'lib/gitops/argocd/rolling-sync.ts',
    from: "earlier.length > 0 ? [expression(RING_LABEL, 'NotIn', earlier)] : [],\n  ];\n  if (named",
    to: "[expression(RING_LABEL, 'NotIn', earlier)],\n  ];\n  if (named",
    why: 'a single ring gets an empty NotIn',
  },
  {
    file: 'lib/gitops/argocd/rolling-sync.ts',
    from: '.sort((a, b) => a - b).map(String)',
    to: '.map(String).sort()',
    why: 'stage 10 comes before stage 2',
  },
  {
    file: 'lib/gitops/argocd/retry.ts',
    from: 'limit < -1 || limit === 0',
    to: 'limit < -1',
    why: 'a limit of 0 retries is accepted',
  },
  {
    file: 'lib/gitops/synth/ordering/digraph.ts',
    from: 'Math.max(at(longest, successor), at(longest, node) + lengthOf(node, successor))',
    to: 'at(longest, node) + lengthOf(node, successor)',
    why: 'the last path counts instead of the longest',
  },
  {
    file: 'lib/gitops/platform/rings.ts',
    from: 'rings.length < 2 || isRolling || kinds.size > 1',
    to: 'rings.length < 2 || kinds.size > 1',
    why: 'rings that a rolling sync separates are reported',
  },
  {
    file: 'lib/gitops/platform/command-line.ts',
    from: 'const isAlone = [only, argocd, draft, given.shard].every((option) => option === undefined);',
    to: 'const isAlone = [only, argocd, draft].every((option) => option === undefined);',
    why: '--promote ignores --shard',
  },
  {
    file: 'lib/gitops/synth/output/foreign-files.ts',
    from: "if (path.includes('/')) return isChart && CHART_DIRECTORY.test(path);",
    to: "if (path.includes('/')) return false;",
    why: 'foreign templates of a chart are not found',
  },
  {
    file: 'lib/gitops/synth/output/file-names.ts',
    from: "byte.toString(16).padStart(2, '0')",
    to: 'byte.toString(16)',
    why: 'two names may get the same file',
  },
  {
    file: 'lib/gitops/synth/output/folder-plan.ts',
    from: 'length === expected.length && Buffer.compare(buffer.subarray(0, length), expected) === 0',
    to: 'Buffer.compare(buffer.subarray(0, expected.length), expected) === 0',
    why: 'a longer file counts as unchanged',
  },
];
