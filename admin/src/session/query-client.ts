// Answers of the server, kept for as long as they are useful.

import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "#api/api-error.ts";

const triesWithoutAnswer = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the server refused it refuses again; only a missing answer or a full server is worth another try.
      retry: (failures, error) =>
        failures < triesWithoutAnswer && error instanceof ApiError && (error.isUnreachable || error.status === 503),
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});
