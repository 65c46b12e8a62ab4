import type { JsonPatchOperation } from '../client/kube-client';
import type { BodyExpectation } from './request-body';

/** A question of the API server about a write: the fields of `AdmissionRequest` (admission.k8s.io/v1) that are read. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** `status`, `scale`, …; absent for the object itself. */
  readonly subResource?: string;
  /** Absent where the API server makes a name up. */
  readonly name?: string;
  /** Absent for what is cluster-scoped. An object to be created need not have it itself. */
  readonly namespace?: string;
  readonly userInfo: { readonly username: string; readonly groups?: readonly string[] };
  /** The object as it is to be; absent for DELETE. Nobody checked it. */
  readonly object?: unknown;
  /** The object as it is; absent for CREATE. */
  readonly oldObject?: unknown;
  readonly dryRun?: boolean;
}

/** The answer of a webhook. */
export type AdmissionAnswer =
  | {
      readonly allowed: true;
      /** The changes to make. None, or an empty list, changes nothing. */
      readonly patch?: readonly JsonPatchOperation[];
      /**
       * Warnings for the person behind the request, which kubectl prints. At most 256 characters each are sure to
       * arrive.
       */
      readonly warnings?: readonly string[];
    }
  | {
      readonly allowed: false;
      /** Says what is wrong, why, and what to do. */
      readonly message: string;
      readonly warnings?: readonly string[];
    };

/**
 * Answers a request. A throw becomes HTTP 500 and a line in the log: the API server then does what the webhook's
 * `failurePolicy` says. {@link BadAdmissionRequest} becomes 400 instead.
 */
export type AdmissionHandler = (request: AdmissionRequest) => AdmissionAnswer | Promise<AdmissionAnswer>;

/** A handler and the path at which it answers. */
export interface WebhookRoute extends BodyExpectation {
  /** Starts with a slash. */
  readonly path: string;
  readonly handle: AdmissionHandler;
  /** Reviews that are worked on at a time; the rest waits, and senders take turns. @default - all */
  readonly concurrency?: number;
}

/** A request that no API server sends: its message says what is wrong with it. */
export class BadAdmissionRequest extends Error {
  override readonly name = 'BadAdmissionRequest';
}
