import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { goTool } from '../go-tools';

/** The programs of a control plane, in the order in which they start. */
export const PROGRAMS = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kwok'] as const;
export type Program = (typeof PROGRAMS)[number];

/** A test tool that is a part of the control plane? */
export function isProgram(name: string): name is Program {
  return (PROGRAMS as readonly string[]).includes(name);
}

/**
 * Path of a program: from the folder in `KUBEBUILDER_ASSETS` if it is there (setup-envtest's folders have only the first
 * two), else from the cache of test tools, where it is built from its Go module if need be.
 * @throws if there is no Go to build it with; the message says what to install
 */
export function programPath(name: Program): string {
  const folder = process.env.KUBEBUILDER_ASSETS;
  const given = folder === undefined || folder === '' ? undefined : join(folder, name);
  return given !== undefined && existsSync(given) ? given : goTool(name);
}
