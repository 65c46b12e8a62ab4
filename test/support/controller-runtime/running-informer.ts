import type { Informer } from '#controller-runtime/cache/informer';
import type { KubeObject } from '#controller-runtime/objects/kube-object';

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export interface RunningInformer {
  /** Stops the informer, and waits for its end. */
  stop(): Promise<void>;
}

export function runInformer<T extends KubeObject>(informer: Informer<T>): RunningInformer {
  const controller = new AbortController();
  const run = informer.run(controller.signal);
  return {
    stop: async () => {
      controller.abort();
      await run;
    },
  };
}
