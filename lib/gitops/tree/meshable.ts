import { ApiObject, type ApiObjectMetadataDefinition } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { describeObject } from '#kubernetes/objects/kubernetes-object';

/** An object of cdk8s-plus with pods, for any Kubernetes version: Deployment, Job, CronJob, Pod and so on. */
export interface PlusWorkload extends IConstruct {
  readonly podMetadata: ApiObjectMetadataDefinition;
}

/** Any object of cdk8s-plus, such as a Namespace. */
export interface PlusResource extends IConstruct {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly metadata: ApiObjectMetadataDefinition;
}

/** An object that can join the mesh: a namespace, or an object with pods of cdk8s-plus or of plain cdk8s. */
export type Meshable = ApiObject | PlusWorkload | PlusResource;

/** Returns the cdk8s object of a construct. */
export function apiObjectOf(construct: IConstruct): ApiObject {
  return ApiObject.of(construct);
}

/** Returns the name of an object in messages: `Deployment shop/api`. */
export function describeApiObject({ kind, name, metadata: { namespace } }: ApiObject): string {
  return describeObject({ kind, metadata: { name, namespace } });
}
