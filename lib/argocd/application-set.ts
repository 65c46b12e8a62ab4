import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { ApplicationSet as ApplicationSetObject } from '../../imports/crds/argoproj.io';
import { checkDnsLabel, checkDnsSubdomain } from '../kubernetes/names';
import type { Problem } from '../problems/problem';
import { addRule } from '../tree/add-rule';
import { manifest } from '../tree/manifest';
import type { ApplicationFolder } from './application-folder';
import { checkApplicationNames } from './application-names';
import { type ApplicationSetOptions, checkApplicationSetOptions } from './application-set-options';
import { applicationTemplate } from './application-template';
import { checkGitSource, type GitSource, resolveGitSource } from './git-source';
import { rollingSync } from './rolling-sync';
import { checkTarget, folderGenerator, type Target } from './target';
import { templatePatch } from './template-patch';

/** Props of ApplicationSet: which folders become Applications, and how. */
export interface ApplicationSetProps extends ApplicationSetOptions {
  /** Name of the ApplicationSet. */
  readonly name: string;
  /** Name of the AppProject of all its Applications; it has to exist before the ApplicationSet. */
  readonly project: string;
  /** The place of the folders in Git. */
  readonly source: GitSource;
  /** The cluster, or the fleet of clusters, that the folders are for. */
  readonly target: Target;

  /**
   * All that is known of the folders. Folders in Git that are not listed become Applications too, of plain manifests
   * and in the last stage.
   *
   * @default - nothing
   */
  readonly folders?: readonly ApplicationFolder[];
}

/** An Argo CD ApplicationSet that makes one Application of each folder `<path>/<cluster>/<namespace>` in Git. */
export class ApplicationSet extends Construct {
  readonly apiObject: ApiObject;

  constructor(scope: Construct, id: string, props: ApplicationSetProps) {
    super(scope, id);
    this.apiObject = manifest(this, 'resource', applicationSet(props));
    addRule(this, () => checkApplicationSet(props));
  }
}

const RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io';

/** The ApplicationSet as an object. */
export function applicationSet(props: ApplicationSetProps): ApplicationSetObject {
  const { namespace = 'argocd', applicationsSync = 'create-update', preserveResourcesOnDeletion = true } = props;
  const source = resolveGitSource(props.source);
  const folders = props.folders ?? [];
  const patch = templatePatch(folders, source.prefix);
  // Its controller then lets the Applications go when the ApplicationSet is deleted; without it the garbage collector
  // takes them along, whatever applicationsSync says.
  const keepsApplications = applicationsSync === 'create-update' || applicationsSync === 'create-only';
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: props.name, namespace, ...(keepsApplications ? { finalizers: [RESOURCES_FINALIZER] } : {}) },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [folderGenerator(props.target, source)],
      ...(props.strategy?.type === 'RollingSync' ? { strategy: rollingSync(folders, props.strategy) } : {}),
      syncPolicy: { applicationsSync, preserveResourcesOnDeletion },
      template: applicationTemplate(props, source),
      ...(patch === undefined ? {} : { templatePatch: patch }),
    },
  };
}

/** Reports what would make Argo CD refuse the ApplicationSet, or never sync what it generates. */
function checkApplicationSet(props: ApplicationSetProps): readonly Problem[] {
  return [
    ...checkDnsSubdomain('The name of an ApplicationSet', props.name),
    ...checkDnsLabel("Argo CD's namespace", props.namespace ?? 'argocd'),
    ...checkDnsSubdomain('project', props.project),
    ...checkGitSource(props.source),
    ...checkTarget(props.target),
    ...checkApplicationSetOptions(props),
    ...checkApplicationNames(props.folders ?? []),
  ];
}
