import type { KubeObject } from '../../cluster/objects';

/** The API whose controllers the fake simulates. */
export const API_VERSION = 'cert-manager.io/v1';

/** Names of the annotations and labels that cert-manager 1.21 writes (pkg/apis/certmanager/v1/types.go). */
export const CERTIFICATE_NAME = 'cert-manager.io/certificate-name';
export const REVISION = 'cert-manager.io/certificate-revision';
export const PRIVATE_KEY_SECRET = 'cert-manager.io/private-key-secret-name';
export const ISSUER_NAME = 'cert-manager.io/issuer-name';
export const ISSUER_KIND = 'cert-manager.io/issuer-kind';
export const ISSUER_GROUP = 'cert-manager.io/issuer-group';
export const NEXT_PRIVATE_KEY = 'cert-manager.io/next-private-key';
export const PART_OF = 'controller.cert-manager.io/fao';

/** A condition of cert-manager's objects. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

export function conditionOf({ status }: KubeObject, type: string): Condition | undefined {
  return (status?.conditions as readonly Condition[] | undefined)?.find((condition) => condition.type === type);
}

/** Conditions with one added or replaced; its time changes only with its status (api/util/conditions.go). */
export function withCondition(object: KubeObject, condition: Condition): readonly Condition[] {
  const before = conditionOf(object, condition.type);
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : timestamp(new Date());
  const next = { ...condition, lastTransitionTime };
  const all: readonly Condition[] = object.status?.conditions ?? [];
  return before === undefined ? [...all, next] : all.map((other) => (other === before ? next : other));
}

export function isIssuing(certificate: KubeObject): boolean {
  return conditionOf(certificate, 'Issuing')?.status === 'True';
}

/** The decoded text of a key of `data`; `undefined` if it is missing or empty. */
export function decoded(secret: KubeObject | undefined, key: string): string | undefined {
  const value = secret?.data?.[key];
  return value === undefined || value === '' ? undefined : Buffer.from(value, 'base64').toString('utf8');
}

export function encoded(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/** A time in the format of Kubernetes: whole seconds, UTC. */
export function timestamp(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z/, 'Z');
}

/** The issuer reference of a Certificate or CertificateRequest, with defaults filled in. */
export interface IssuerRef {
  readonly name: string;
  readonly kind: string;
  readonly group: string;
}

export function issuerRefOf({ spec }: KubeObject): IssuerRef {
  const { name, kind, group } = spec.issuerRef;
  return { name, kind: kind || 'Issuer', group: group || 'cert-manager.io' };
}

/** A request's revision, from its annotation. */
export function revisionOf(request: KubeObject): number | undefined {
  const text = request.metadata.annotations?.[REVISION];
  return text === undefined ? undefined : Number(text);
}

export function isOwnedBy(object: KubeObject, owner: KubeObject): boolean {
  return object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false;
}

export function controllerReference({ apiVersion, kind, metadata }: KubeObject) {
  const { name = '', uid = '' } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
