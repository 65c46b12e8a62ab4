import { STEADY_TIMING } from '#controller-runtime/cache/reflector-timing';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import { ref } from '#test/support/cluster/objects';
import {
  configMap,
  converged,
  type Follower,
  follow,
  write,
} from '#test/support/controller-runtime/followed-config-maps';
import { startTcpProxy, type TcpProxy } from '#test/support/controller-runtime/tcp-proxy';

const proxies: TcpProxy[] = [];
let cluster: Cluster;
let interrupted: Interruption;

/** Starts the minute of interruption here, so that it passes during the other tests. */
beforeAll(async () => {
  cluster = await sharedCluster();
  interrupted = await interruptForAMinute();
});

afterAll(() => Promise.all(proxies.map((proxy) => proxy.stop())));

async function newProxy(): Promise<TcpProxy> {
  const proxy = await startTcpProxy(cluster.server);
  proxies.push(proxy);
  return proxy;
}

/** Informers without a connection. */
interface Interruption {
  readonly namespace: string;
  /** One follower with broken connections, and one with silent ones. */
  readonly followers: readonly Follower[];
  /** Resolves at the end of the minute. */
  readonly minute: Promise<unknown>;
  /** Restores all connections. */
  end(): void;
}

async function interruptForAMinute(): Promise<Interruption> {
  const namespace = await cluster.namespace('minute');
  await write(cluster, namespace, 30);
  const [broken, silent] = [await newProxy(), await newProxy()];
  const followers = await Promise.all(
    [broken, silent].map((proxy) => follow({ cluster, namespace, proxy, timing: STEADY_TIMING })),
  );
  broken.refuse(true);
  silent.hold(true);
  return {
    namespace,
    followers,
    minute: sleep(60_000),
    end: () => {
      broken.refuse(false);
      silent.hold(false);
    },
  };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Cuts, delays and refuses connections in turn until the work is done. */
async function disturbUntil(proxy: TcpProxy, work: Promise<void>): Promise<number> {
  let isDone = false;
  let disturbances = 0;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const kind = disturbances % 4;
    if (kind === 0) proxy.cut();
    if (kind === 1) proxy.hold(true);
    if (kind === 2) proxy.refuse(true);
    // Some pauses exceed 1.5 s, after which an informer ends a silent watch; most are shorter.
    await sleep(kind === 1 && disturbances % 8 === 1 ? 2_000 : 50 + ((disturbances * 37) % 200));
    proxy.hold(false);
    proxy.refuse(false);
    await sleep(50 + ((disturbances * 53) % 300));
    disturbances += 1;
  }
  await done;
  return disturbances;
}

test('an informer misses none of 2,000 ConfigMaps on a network that cuts and delays connections and drops data', async () => {
  const namespace = await cluster.namespace('chaos');
  const proxy = await newProxy();
  const follower = await follow({ cluster, namespace, proxy });
  const disturbances = await disturbUntil(proxy, write(cluster, namespace, 2_000));
  await converged(follower);
  expect(disturbances).toBeGreaterThan(4);
  expect(follower.history.mistakes).toEqual([]);
  expect(follower.history.count()).toBeGreaterThan(2_000);
  await follower.stop();
});

test('an informer with production timeouts recovers from a minute of cut or silent connections', async () => {
  const { namespace, followers, minute, end } = interrupted;
  const during = Array.from({ length: 30 }, (_, index) => configMap(namespace, `during-${index}`, 0));
  await Promise.all(during.map((object) => cluster.create(object)));
  await cluster.delete(ref('v1', 'ConfigMap', 'cm-1', namespace));
  await minute;
  for (const { informer } of followers) expect(informer.get(`${namespace}/during-0`)).toBeUndefined();
  end();
  for (const follower of followers) {
    await converged(follower);
    expect(follower.history.mistakes).toEqual([]);
    await follower.stop();
  }
});
