import type { KubeObject } from '../runtime/objects/kube-object';

/** Why a rotation stopped, and at which object: what its Event says. */
export class RotationFailure extends Error {
  override readonly name = 'RotationFailure';
  readonly regarding: KubeObject;
  /** One UpperCamelCase word. */
  readonly reason: string;

  constructor(regarding: KubeObject, reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.regarding = regarding;
    this.reason = reason;
  }
}
