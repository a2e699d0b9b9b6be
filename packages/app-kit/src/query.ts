// As in router.ts: only what is used.
export { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
