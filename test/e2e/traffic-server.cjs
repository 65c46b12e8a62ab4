/**
 * Answers HTTP with the identity of the client, which its proxy tells it, and echoes lines of TCP. It needs Node.js
 * alone. At the end it takes no new connections and lets those that are open come to an end.
 */
const http = require('node:http');
const net = require('node:net');

const site = http.createServer((request, response) => {
  response.end(`${request.headers['l5d-client-id'] ?? ''}\n`);
});
const echo = net.createServer((socket) => {
  sockets.add(socket);
  socket.on('data', (data) => socket.write(data));
  socket.on('error', () => undefined);
  socket.on('close', () => sockets.delete(socket));
});
/** @type {Set<net.Socket>} */
const sockets = new Set();

site.keepAliveTimeout = 60_000;
site.listen(Number(process.env.HTTP_PORT ?? 8080));
echo.listen(Number(process.env.TCP_PORT ?? 9090));

process.on('SIGTERM', () => {
  site.close();
  echo.close();
  for (const socket of sockets) socket.end();
  setTimeout(() => process.exit(0), 5000).unref();
});
