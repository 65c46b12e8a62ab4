import { setImmediate } from 'node:timers/promises';
import { CONFIG_DEFAULTS } from '#operator/api/linkerd-config';
import { readConfigMaps } from '#operator/src/config/objects/config-store';

test('where neither ConfigMap can be read, the same failure is told each time', async () => {
  const refusesSecondFirst = {
    get: async (_resource: unknown, key: string): Promise<undefined> => {
      if (key === 'linkerd/linkerd-config') await setImmediate();
      throw new Error(key);
    },
  };
  await expect(readConfigMaps(refusesSecondFirst, CONFIG_DEFAULTS)).rejects.toThrow(/^linkerd\/linkerd-config$/);
});
