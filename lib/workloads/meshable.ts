import { ApiObject, type ApiObjectMetadataDefinition } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { describeObject } from '../kubernetes/kubernetes-object';

/** What has pods in cdk8s-plus, whichever Kubernetes version it is for: Deployment, Job, CronJob, Pod and so on. */
export interface PlusWorkload extends IConstruct {
  readonly podMetadata: ApiObjectMetadataDefinition;
}

/** Any object of cdk8s-plus, a Namespace for instance. */
export interface PlusResource extends IConstruct {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly metadata: ApiObjectMetadataDefinition;
}

/** What can be part of the mesh: an object of cdk8s-plus, or a plain cdk8s object, that has pods; or a namespace. */
export type Meshable = ApiObject | PlusWorkload | PlusResource;

/** The cdk8s object behind a construct. */
export function apiObjectOf(construct: IConstruct): ApiObject {
  return ApiObject.of(construct);
}

/** How messages name an object: `Deployment shop/api`. */
export function describeApiObject({ kind, name, metadata: { namespace } }: ApiObject): string {
  return describeObject({ kind, metadata: { name, namespace } });
}
