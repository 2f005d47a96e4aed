import { jobs } from "./en/jobs.ts";
import { defineWords } from "./language.ts";

export const jobsWords = defineWords(jobs);
