import type { Problem } from '#base/findings/problem';
import { itemsOf } from '#base/select-fields';
import type { AppProject } from '#imports/crds/argoproj.io';
import { checkDnsLabel } from '#kubernetes/names';
import { each, keysOf, LIST } from '#kubernetes/options/known-keys';
import { refusedValue } from './findings';

/** What a role may do with Applications, in the words of Argo CD; `logs` permits the logs of their pods. */
export type RoleAction = 'get' | 'sync' | 'create' | 'update' | 'delete' | 'override' | 'action/*' | 'logs';

const ACTIONS: readonly string[] = ['get', 'sync', 'create', 'update', 'delete', 'override', 'action/*', 'logs'];

/** A role of the AppProject, for its Applications and no others. */
export interface ProjectRole {
  /** Name of the role: a DNS label. */
  readonly name: string;
  /** What the role may do with the Applications of the project. */
  readonly actions: readonly RoleAction[];
  /**
   * Groups of the identity provider that have the role.
   *
   * @default - none: only tokens of the role
   */
  readonly groups?: readonly string[];
  /**
   * Description that Argo CD shows.
   *
   * @default - none
   */
  readonly description?: string;
}

/** The keys of ProjectRole. */
export const PROJECT_ROLES = each(keysOf<ProjectRole>({ name: true, actions: LIST, groups: LIST, description: true }));

/** Reports roles that Argo CD refuses, and names that would change the meaning of a policy. */
export function checkRoles(roles: readonly ProjectRole[] | undefined): readonly Problem[] {
  const names = (roles ?? []).map(({ name }) => name);
  return (roles ?? []).flatMap(({ name, actions, groups }, index) => {
    const field = `argocd.roles[${index}]`;
    const unknown = itemsOf(actions).filter((one) => !ACTIONS.some((known) => known === one));
    // A comma or a line break would begin another field or rule of the policy.
    const odd = itemsOf(groups).filter((group) => typeof group !== 'string' || group === '' || /[,\n\r]/.test(group));
    return [
      ...checkDnsLabel(`${field}.name`, name),
      ...(names.indexOf(name) === index ? [] : [refusedValue(`${field}.name`, name, 'a name that no other role has')]),
      ...unknown.map((one) => refusedValue(`${field}.actions`, one, `some of ${ACTIONS.join(', ')}`)),
      ...(itemsOf(actions).length === 0 ? [refusedValue(`${field}.actions`, actions, "['get', 'sync']")] : []),
      ...odd.map((one) => refusedValue(`${field}.groups`, one, 'names of groups, without commas')),
    ];
  });
}

type Roles = NonNullable<AppProject['spec']['roles']>;

/** Returns the roles of an AppProject, with policies for its own Applications only. */
export function projectRoles(project: string, roles: readonly ProjectRole[]): Roles {
  return roles.map(({ name, actions, groups, description }) => ({
    name,
    ...(description !== undefined && { description }),
    ...(groups !== undefined && { groups: [...(itemsOf(groups) as readonly string[])] }),
    policies: (itemsOf(actions) as readonly RoleAction[]).map((action) => {
      const [resource, verb] = action === 'logs' ? ['logs', 'get'] : ['applications', action];
      return `p, proj:${project}:${name}, ${resource}, ${verb}, ${project}/*, allow`;
    }),
  }));
}
