import { connect } from 'node:net';

const answerMs = 5000;

/**
 * Asks a Redis for one thing over a plain socket, so that the set-up needs no client library.
 *
 * @param {string} url redis:// URL; rediss:// is taken as reachable if the port is open, since TLS is the client's matter
 * @param {readonly string[]} command for instance ['PING']
 * @returns {Promise<{ok: boolean, answer: string}>} the first answer line, or why there was none
 */
export function askRedis(url, command) {
  return new Promise((resolve) => {
    let target;
    try {
      target = new URL(url);
    } catch {
      resolve({ ok: false, answer: 'not a URL' });
      return;
    }
    const secure = target.protocol === 'rediss:';
    const socket = connect(Number(target.port || 6379), target.hostname.replace(/^\[|\]$/gu, '') || '127.0.0.1');
    const done = (ok, answer) => {
      socket.destroy();
      resolve({ ok, answer });
    };
    socket.setTimeout(answerMs, () => done(false, 'no answer'));
    socket.on('error', (error) => done(false, error.message || error.code));
    socket.on('connect', () => {
      if (secure) return done(true, 'connected');
      if (target.password !== '') {
        const user = target.username === '' ? [] : [decodeURIComponent(target.username)];
        socket.write(encode(['AUTH', ...user, decodeURIComponent(target.password)]));
      }
      socket.write(encode(command));
    });
    const answersBefore = target.password === '' ? 0 : 1;
    let heard = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      heard += chunk;
      const lines = heard.split('\r\n').slice(0, -1);
      const refusal = lines.find((line) => line.startsWith('-'));
      if (refusal) done(false, refusal.slice(1));
      else if (lines.length > answersBefore) done(true, lines[answersBefore]);
    });
  });
}

function encode(words) {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}
