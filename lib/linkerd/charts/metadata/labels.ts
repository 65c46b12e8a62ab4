import { CONTROL_PLANE_COMPONENT, CONTROL_PLANE_NS } from '../../annotations';

/** Values from which all objects get labels. */
export interface LabelValues {
  readonly commonLabels: Readonly<Record<string, string>> | undefined;
}

/** Label of objects that belong to Linkerd, for people and dashboards. */
export const PART_OF_LINKERD = { 'app.kubernetes.io/part-of': 'Linkerd' };

/** Label of what belongs to one component of a control plane. */
export function component(name: string): Record<string, string> {
  return { [CONTROL_PLANE_COMPONENT]: name };
}

/** The labels of an object: its own, the control plane's, and those that the user gives to everything. */
export function labels(
  values: LabelValues,
  controlPlaneNamespace: string,
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { ...own, [CONTROL_PLANE_NS]: controlPlaneNamespace, ...values.commonLabels };
}

/** The labels of a workload, by which people see what runs in which version. */
export function applicationLabels(name: string, version: string | undefined): Record<string, string> {
  return {
    'app.kubernetes.io/name': name,
    ...PART_OF_LINKERD,
    'app.kubernetes.io/version': version ?? '',
  };
}
