import { bullmqContract } from './contract.ts';

bullmqContract('BullMQ on Redis Cluster', { cluster: true });
