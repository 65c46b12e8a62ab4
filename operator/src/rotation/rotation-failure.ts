import type { KubeObject } from '#controller-runtime/objects/kube-object';

/** The error that stops a rotation, with the object and the reason for its Event. */
export class RotationFailure extends Error {
  override readonly name = 'RotationFailure';
  readonly regarding: KubeObject;
  /** The reason, in one UpperCamelCase word. */
  readonly reason: string;

  constructor(regarding: KubeObject, reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.regarding = regarding;
    this.reason = reason;
  }
}
