import { type KubeObject, objectKey } from '../objects/kube-object';
import type { Logger } from '../telemetry/logger';
import type { Change } from './store';

type ChangeHandler<T extends KubeObject> = (change: Change<T>) => void;

/** The handlers of changes. An error in one is logged, and does not affect the others. */
export interface ChangeHandlers<T extends KubeObject> {
  add(handler: ChangeHandler<T>): void;
  remove(handler: ChangeHandler<T>): void;
  tell(changes: readonly Change<T>[]): void;
  tellOne(handler: ChangeHandler<T>, changes: readonly Change<T>[]): void;
}

/** Creates an empty set of handlers. */
export function createChangeHandlers<T extends KubeObject>(log: Logger): ChangeHandlers<T> {
  const handlers = new Set<ChangeHandler<T>>();
  const tellOne = (handler: ChangeHandler<T>, changes: readonly Change<T>[]): void => {
    for (const change of changes) {
      try {
        handler(change);
      } catch (error) {
        log.error('a handler of changes failed', { object: objectKey(change.object), change: change.type, error });
      }
    }
  };
  return {
    add: (handler) => void handlers.add(handler),
    remove: (handler) => void handlers.delete(handler),
    tell: (changes) => {
      // A copy: a handler that is added meanwhile gets all objects when it is added.
      for (const handler of [...handlers]) tellOne(handler, changes);
    },
    tellOne,
  };
}
