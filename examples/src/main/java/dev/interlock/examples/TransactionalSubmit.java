package dev.interlock.examples;

import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import dev.interlock.postgres.PostgresExecutionStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;

/**
 * A service that takes orders and has them carried out. The order and the execution are one transaction: there is never
 * one without the other, whatever crashes when.
 */
public final class TransactionalSubmit {
    private final DataSource dataSource;
    private final PostgresExecutionStore executions;

    public TransactionalSubmit(DataSource dataSource, PostgresExecutionStore executions) {
        this.dataSource = dataSource;
        this.executions = executions;
    }

    /** Takes an order; the id of the execution that carries it out. */
    public String order(String service, String version, String customer) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Request request = Request.of("deploy", service, Map.of("version", version), customer);
            Submission submission = executions.submit(connection, request);
            String execution = submission.execution().id();
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO orders (execution, customer) VALUES (?, ?)")) {
                insert.setString(1, execution);
                insert.setString(2, customer);
                insert.executeUpdate();
            }
            connection.commit();
            return execution;
        }
    }
}
