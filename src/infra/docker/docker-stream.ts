/**
 * Docker's multiplexed attach stream: `u8 stream, 3 zero bytes, u32 length, bytes`. Pure and incremental; payloads are passed on in
 * pieces as they come, so nothing is gathered here.
 */
export type DockerPiece = { readonly stream: 'stdout' | 'stderr'; readonly bytes: Buffer };

const HEADER_BYTES = 8;

export const createDemultiplexer = (): ((chunk: Buffer) => readonly DockerPiece[]) => {
  let partialHeader = Buffer.alloc(0);
  let remaining = 0;
  let stream: DockerPiece['stream'] = 'stdout';

  return (chunk) => {
    const pieces: DockerPiece[] = [];
    let rest = chunk;
    while (rest.length > 0) {
      if (remaining === 0) {
        const wanted = HEADER_BYTES - partialHeader.length;
        partialHeader = Buffer.concat([partialHeader, rest.subarray(0, wanted)]);
        rest = rest.subarray(wanted);
        if (partialHeader.length < HEADER_BYTES) break;
        stream = partialHeader[0] === 2 ? 'stderr' : 'stdout';
        remaining = partialHeader.readUInt32BE(4);
        partialHeader = Buffer.alloc(0);
        continue;
      }
      const bytes = rest.subarray(0, remaining);
      remaining -= bytes.length;
      rest = rest.subarray(bytes.length);
      pieces.push({ stream, bytes });
    }
    return pieces;
  };
};
