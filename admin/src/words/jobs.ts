import { jobs } from "./en/jobs.ts";
import { defineWords } from "./language.ts";

export const jobsWords = defineWords(jobs, { de: () => import("./de/jobs.ts").then((words) => words.jobs) });
