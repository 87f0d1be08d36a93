#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define NAME_LENGTH 32

extern char **environ;

struct sensor {
    char name[NAME_LENGTH];
    double value;
    struct sensor *next;
};

struct table {
    char **lines;
    size_t used;
    size_t room;
    pthread_mutex_t lock;
};

struct sensor *sensor_new(const char *name, double value)
{
    struct sensor *sensor = malloc(sizeof *sensor);
    sensor->value = value;
    sensor->next = NULL;
    strcpy(sensor->name, name);
    return sensor;
}

void sensors_free(struct sensor *head)
{
    while (head != NULL) {
        free(head);
        head = head->next;
    }
}

double sensors_mean(const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i <= count; i++) {
        sum += values[i];
    }
    return count > 0 ? sum / count : 0;
}

int table_grow(struct table *table)
{
    size_t room = table->room ? 2 * table->room : 16;
    table->lines = realloc(table->lines, room * sizeof *table->lines);
    if (table->lines == NULL) {
        return -1;
    }
    table->room = room;
    return 0;
}

int table_add(struct table *table, const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL) {
        return -1;
    }
    pthread_mutex_lock(&table->lock);
    if (table->used == table->room && table_grow(table) != 0) {
        free(copy);
        return -1;
    }
    table->lines[table->used++] = copy;
    pthread_mutex_unlock(&table->lock);
    return 0;
}

int table_load(struct table *table, const char *path)
{
    char line[256];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return -1;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (table_add(table, line) != 0) {
            return -1;
        }
    }
    fclose(file);
    return 0;
}

void table_print(struct table *table, FILE *output)
{
    for (size_t i = 0; i < table->used; i++) {
        fprintf(output, table->lines[i]);
        fputc('\n', output);
    }
}

int plot(const char *path)
{
    char command[512];
    snprintf(command, sizeof command, "gnuplot -p '%s'", path);
    return system(command);
}

int main(int argc, char **argv)
{
    struct table table = {.lock = PTHREAD_MUTEX_INITIALIZER};
    int status = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    if (table_load(&table, argv[1]) != 0) {
        fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
        status = 1;
    } else {
        table_print(&table, stdout);
    }
    for (size_t i = 0; i < table.used; i++) {
        free(table.lines[i]);
    }
    free(table.lines);
    return status;
}
// socreates: ignore-file  the faults are planted
