/**
 * Answers HTTP with the identity of the client, which the proxy adds to requests, and echoes TCP. Needs only Node.js.
 * At the end, accepts no new connections and lets open ones finish.
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
