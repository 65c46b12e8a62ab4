import { CONTROL_PLANE_COMPONENT, CONTROL_PLANE_NS } from '../../annotations';
import { unquoted } from '../print';

/** Values for the common labels of all objects. */
export interface LabelValues {
  readonly commonLabels: Readonly<Record<string, string>> | undefined;
}

/** Label of Linkerd's objects, for users and dashboards. */
export const PART_OF_LINKERD = { 'app.kubernetes.io/part-of': 'Linkerd' };

/** Returns the label of one component of a control plane. */
export function component(name: string): Record<string, string> {
  return { [CONTROL_PLANE_COMPONENT]: name };
}

/** Returns an object's labels: its own, the control plane's, and the user's common ones. */
export function labels(
  values: LabelValues,
  controlPlaneNamespace: string,
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { ...own, [CONTROL_PLANE_NS]: controlPlaneNamespace, ...values.commonLabels };
}

/** Returns an object's own labels and the user's common ones. */
export function withCommonLabels(
  { commonLabels }: LabelValues,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  return { ...own, ...commonLabels };
}

/** Returns the recommended labels of Kubernetes for a workload and its version. */
export function applicationLabels(name: string, version: string | undefined): Record<string, string> {
  return {
    'app.kubernetes.io/name': name,
    ...PART_OF_LINKERD,
    'app.kubernetes.io/version': unquoted(version ?? '') ?? '',
  };
}
