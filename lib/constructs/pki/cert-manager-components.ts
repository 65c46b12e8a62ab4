import type { Problem } from '../../kubernetes/findings/problem';
import { type Values, valueAt } from '../../kubernetes/values';
import { PKI_FINDINGS } from './findings';

const WITHOUT_CONTROLLER = 'No certificate would be issued or renewed: the control plane would not start';
const WITHOUT_CAINJECTOR =
  'Nothing would write the CA of webhooks into their configurations: the API server would trust none of them, so that pods get no proxy or are refused';
const WITHOUT_WEBHOOK =
  "The API server asks cert-manager's webhook about each Certificate and Issuer, and refuses them while it does not answer";

/** Components that the chart can leave out, and a mesh cannot do without. */
const NEEDED: readonly (readonly [path: string, off: false | 0, reason: string])[] = [
  ['replicaCount', 0, WITHOUT_CONTROLLER],
  ['cainjector.enabled', false, WITHOUT_CAINJECTOR],
  ['cainjector.replicaCount', 0, WITHOUT_CAINJECTOR],
  ['webhook.replicaCount', 0, WITHOUT_WEBHOOK],
];

/** Reports which of cert-manager's components the values take away. */
export function checkComponents(values: Values): readonly Problem[] {
  return NEEDED.filter(([path, off]) => valueAt(values, path) === off).map(([path, off, reason]) =>
    PKI_FINDINGS.certManagerValueRefusedComponent({ path, value: String(off), reason }),
  );
}
