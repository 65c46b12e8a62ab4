/**
 * Starts a process as a control plane's programs are started, and waits to be killed. Run as a program of its own; the
 * argument is the folder of the cluster.
 */
import { startProcess, startWatchdog } from './processes';

const [dir = ''] = process.argv.slice(2);

startWatchdog(dir);
startProcess(dir, 'sleeper', 'sleep', ['600']);
process.stdout.write('started\n');
setInterval(() => undefined, 60_000);
