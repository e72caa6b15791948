package dev.interlock.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A line to the database that is cut before a certain statement, as by the death of who holds it. */
final class Cut {
    private Cut() {}

    /** @param point how many statements get through; the commit counts as one */
    static DataSource before(int point, DataSource database) {
        AtomicInteger left = new AtomicInteger(point);
        return (DataSource) Proxy.newProxyInstance(
                Cut.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.getName().equals("getConnection")
                        ? connection(database.getConnection(), left)
                        : method.invoke(database, arguments));
    }

    private static Connection connection(Connection real, AtomicInteger left) {
        InvocationHandler counting = (proxy, method, arguments) -> {
            String name = method.getName();
            if (name.equals("prepareStatement") || name.equals("commit")) {
                if (left.getAndDecrement() == 0) {
                    real.abort(Runnable::run);
                    throw new SQLException("cut", "08006");
                }
            }
            try {
                return method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return (Connection)
                Proxy.newProxyInstance(Cut.class.getClassLoader(), new Class<?>[] {Connection.class}, counting);
    }
}
