import { catalogue } from '#base/findings/catalogue';

const COMPARE_ANOTHER = 'compare with an undamaged output, or synthesize it again';

/** Findings about two outputs that are compared. */
export const REVIEW_FINDINGS = catalogue({
  'immutable-field-changed': {
    severity: 'error',
    what: ({ object, fields }: { object: string; fields: string }) => `${object} changes in ${fields}`,
    why: 'The API server rejects changes of these fields, and the sync fails',
    fix: 'delete the object right before the sync, which creates it again; until then its function is unavailable',
  },
  'proxies-too-old': {
    severity: 'error',
    what: ({ proxies, release }: { proxies: string; release: string }) =>
      `Values pin proxies to ${proxies} (proxy.image.version), and the control plane moves to ${release}`,
    why: 'Linkerd supports a control plane that is at most one minor version ahead of its proxies',
    fix: 'remove proxy.image.version and restart every meshed workload; then upgrade the control plane',
  },
  'file-unreadable/output': {
    severity: 'error',
    what: ({ file, reason }: { file: string; reason: string }) =>
      `${file} of the later output cannot be read: ${reason}`,
    why: 'Argo CD cannot read the file either, and cannot sync its folder',
    fix: 'synthesize again: the file was changed after the synth',
  },
  'file-unreadable/index': {
    severity: 'error',
    what: ({ damage }: { damage: string }) => `The index of the later output is damaged: ${damage}`,
    why: 'The plan reads the files that the index still lists, and shows the others as added or removed',
    fix: 'synthesize again: the file was changed after the synth',
  },
  'output-not-compared/file': {
    severity: 'note',
    what: ({ file, reason }: { file: string; reason: string }) =>
      `${file} of the earlier output cannot be read: ${reason}`,
    why: 'The plan uses the releases and CRDs in the files that can be read, and does not show changes of the other files',
    fix: COMPARE_ANOTHER,
  },
  'output-not-compared/index': {
    severity: 'note',
    what: ({ damage }: { damage: string }) => `The index of the earlier output is damaged: ${damage}`,
    why: 'The plan reads the files that the index still lists, and shows the others as added or removed',
    fix: COMPARE_ANOTHER,
  },
});
