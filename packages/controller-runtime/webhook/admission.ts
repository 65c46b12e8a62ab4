import type { JsonPatchOperation } from '../client/kube-client';
import type { BodyExpectation } from './request-body';

/**
 * A request from the API server to admit a write: the fields of `AdmissionRequest` (admission.k8s.io/v1) that are read.
 */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** `status`, `scale`, …; absent for the object itself. */
  readonly subResource?: string;
  /** Absent if the API server generates the name. */
  readonly name?: string;
  /** Absent for cluster-scoped objects. A new object itself may lack it. */
  readonly namespace?: string;
  readonly userInfo: { readonly username: string; readonly groups?: readonly string[] };
  /** The new object; absent for DELETE. Not validated. */
  readonly object?: unknown;
  /** The current object; absent for CREATE. */
  readonly oldObject?: unknown;
  readonly dryRun?: boolean;
}

/** The answer of a webhook. */
export type AdmissionAnswer =
  | {
      readonly allowed: true;
      /** The changes to make. Absent or empty for none. */
      readonly patch?: readonly JsonPatchOperation[];
      /** Warnings for the client, which kubectl prints. At most 256 characters each are guaranteed to be delivered. */
      readonly warnings?: readonly string[];
    }
  | {
      readonly allowed: false;
      /** Describes the problem, the reason, and the fix. */
      readonly message: string;
      readonly warnings?: readonly string[];
    };

/**
 * Answers a request. An error becomes HTTP 500 and a line in the log: the API server then applies the webhook's
 * `failurePolicy`. {@link BadAdmissionRequest} becomes 400 instead.
 */
export type AdmissionHandler = (request: AdmissionRequest) => AdmissionAnswer | Promise<AdmissionAnswer>;

/** A handler and its path. */
export interface WebhookRoute extends BodyExpectation {
  /** Starts with a slash. */
  readonly path: string;
  readonly handle: AdmissionHandler;
  /** Maximum number of concurrent reviews; others wait, and senders take turns. @default - no limit */
  readonly concurrency?: number;
}

/** A request that no API server sends, with the problem as its message. */
export class BadAdmissionRequest extends Error {
  override readonly name = 'BadAdmissionRequest';
}
